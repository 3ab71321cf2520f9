import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';

import { type Principal } from '../access/principal.js';
import { ROOT_KEY_HASH } from '../tokens.js';
import { KeyStore, hashSecret, sameHash } from './key-store.js';

/** Whom a secret speaks for. */
export type Holder = Principal | 'root';

/** `until`: when the secret has to be looked up again, as {@link performance.now} counts. */
type Lease = Readonly<{ holder: Holder; until: number }>;

/** A key that another process revokes, or a root key that is replaced, still works here for at most so long. */
export const leaseMs = 1_000;
const maxLeases = 10_000;

/** Who a bearer secret is, or null: unknown, revoked, expired. `workspace` is the header of that name. */
export class AuthenticateQuery extends Query<Principal | null> {
  constructor(
    readonly secret: string,
    readonly workspace: string | undefined,
  ) {
    super();
  }
}

/** Who holds which secret, looked up once a second and not with each request. */
@Injectable()
export class KeyLeases {
  /** By the hash of the secret, the one that was looked up longest ago first. */
  readonly #leases = new LRUCache<string, Lease>({ max: maxLeases });
  /** Look-ups under way, which requests share. */
  readonly #looks = new Map<string, Promise<Lease | undefined>>();

  constructor(
    private readonly keys: KeyStore,
    @Inject(ROOT_KEY_HASH) private readonly rootKeyHash: () => Promise<string>,
  ) {}

  /** Undefined for a secret that is unknown, revoked or expired: that is looked up each time. */
  async holderOf(secretHash: string): Promise<Holder | undefined> {
    const lease = this.#leases.get(secretHash);
    if (lease && performance.now() < lease.until) return lease.holder;
    this.#leases.delete(secretHash);
    const look = this.#looks.get(secretHash) ?? this.#begin(secretHash);
    return (await look)?.holder;
  }

  async #begin(secretHash: string): Promise<Lease | undefined> {
    const look = this.#look(secretHash);
    this.#looks.set(secretHash, look);
    try {
      const found = await look;
      // Of a key that was revoked meanwhile, this may be what it was before that.
      if (found && this.#looks.get(secretHash) === look) this.#leases.set(secretHash, found);
      return found;
    } finally {
      if (this.#looks.get(secretHash) === look) this.#looks.delete(secretHash);
    }
  }

  /** From now on this process looks the key up. To be called once its revocation is stored. */
  end(keyId: string): void {
    this.#looks.clear();
    for (const [secretHash, { holder }] of Array.from(this.#leases.entries()))
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
}

@QueryHandler(AuthenticateQuery)
export class AuthenticateHandler implements IQueryHandler<AuthenticateQuery> {
  constructor(private readonly leases: KeyLeases) {}

  async execute({ secret, workspace }: AuthenticateQuery): Promise<Principal | null> {
    const holder = await this.leases.holderOf(hashSecret(secret));
    return holder === 'root' ? rootPrincipal(workspace ?? 'default') : (holder ?? null);
  }
}

/** Root acts in one workspace at a time and is shown as `admin`. */
export function rootPrincipal(workspace: string): Principal {
  return {
    name: 'admin',
    role: 'admin',
    isRoot: true,
    workspace,
    keyId: null,
    agentId: null,
    audiences: ['all'],
    actsFor: ['*'],
    contexts: null,
    workflows: null,
    expiresAt: null,
  };
}
