import { Inject, Injectable } from '@nestjs/common';

import { type Principal } from '../access/principal.js';
import { ROOT_KEY_HASH } from '../tokens.js';
import { KeyStore, sameHash } from './key-store.js';

/** Whom a secret speaks for. */
export type Holder = Principal | 'root';

/** `until`: when the secret has to be looked up again, as {@link performance.now} counts. */
type Lease = Readonly<{ holder: Holder; until: number }>;

/** What was revoked or replaced in another process is good for at most so long in this one. */
export const leaseMs = 1_000;
const mostLeases = 10_000;

/** Who holds which secret, looked up once a second: a statement less for every other request of a key. */
@Injectable()
export class KeyLeases {
  /** By the hash of the secret, the one that was looked up longest ago first. */
  readonly #leases = new Map<string, Lease>();
  #revocations = 0;

  constructor(
    private readonly keys: KeyStore,
    @Inject(ROOT_KEY_HASH) private readonly rootKeyHash: () => Promise<string>,
  ) {}

  /** Undefined for a secret that is unknown, revoked or expired: that is looked up each time. */
  async holderOf(secretHash: string): Promise<Holder | undefined> {
    const lease = this.#leases.get(secretHash);
    if (lease && performance.now() < lease.until) return lease.holder;
    this.#leases.delete(secretHash);
    const revocations = this.#revocations;
    const found = await this.#look(secretHash);
    // A key that was revoked meanwhile may have been looked up before that.
    if (found && revocations === this.#revocations) this.#add(secretHash, found);
    return found?.holder;
  }

  /** From now on this process looks the key up. To be called once its revocation is stored. */
  end(keyId: string): void {
    this.#revocations += 1;
    for (const [secretHash, { holder }] of this.#leases)
      if (holder !== 'root' && holder.keyId === keyId) this.#leases.delete(secretHash);
  }

  async #look(secretHash: string): Promise<Lease | undefined> {
    // Counted from before the look: what is revoked during it must not last longer.
    const began = performance.now();
    const key = await this.keys.findHolder(secretHash);
    if (key) return { holder: key.principal, until: began + Math.min(leaseMs, key.validMs) };
    const isRoot = sameHash(secretHash, await this.rootKeyHash());
    return isRoot ? { holder: 'root', until: began + leaseMs } : undefined;
  }

  #add(secretHash: string, lease: Lease): void {
    this.#leases.set(secretHash, lease);
    const [oldest] = this.#leases.keys();
    if (oldest !== undefined && this.#leases.size > mostLeases) this.#leases.delete(oldest);
  }
}
