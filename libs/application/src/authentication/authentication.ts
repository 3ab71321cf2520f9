import { Inject, Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';

import { type Principal } from '../access/principal.js';
import { ROOT_KEY_HASH } from '../tokens.js';
import { KeyStore, hashSecret, sameHash } from './key-store.js';

/** The holder of a secret. */
export type Holder = Principal | 'root';

/** `until`: when the secret must be looked up again, on the clock of {@link performance.now}. */
type Lease = Readonly<{ holder: Holder; until: number }>;

/** A key that another process revokes, or a root key that is replaced, remains valid in this process for at most this time. */
export const leaseMs = 1_000;
const maxLeases = 10_000;

/**
 * The principal of a bearer secret; null if the secret is unknown, revoked or expired. `workspace`: the header of that
 * name.
 */
export class AuthenticateQuery extends Query<Principal | null> {
  constructor(
    readonly secret: string,
    readonly workspace: string | undefined,
  ) {
    super();
  }
}

/** Caches the holders of secrets for a second, so that not every request looks up its key. */
@Injectable()
export class KeyLeases {
  /** By the hash of the secret. */
  readonly #leases = new LRUCache<string, Lease>({ max: maxLeases });
  /** Pending lookups, which concurrent requests share. */
  readonly #lookups = new Map<string, Promise<Lease | undefined>>();

  constructor(
    private readonly keys: KeyStore,
    @Inject(ROOT_KEY_HASH) private readonly rootKeyHash: () => Promise<string>,
  ) {}

  /** Undefined, and not cached, if the secret is unknown, revoked or expired. */
  async holderOf(secretHash: string): Promise<Holder | undefined> {
    const lease = this.#leases.get(secretHash);
    if (lease && performance.now() < lease.until) return lease.holder;
    this.#leases.delete(secretHash);
    const lookup = this.#lookups.get(secretHash) ?? this.#startLookup(secretHash);
    return (await lookup)?.holder;
  }

  async #startLookup(secretHash: string): Promise<Lease | undefined> {
    const lookup = this.#find(secretHash);
    this.#lookups.set(secretHash, lookup);
    try {
      const found = await lookup;
      // If a key was revoked meanwhile, `end` has removed the lookup, whose result may be older than the revocation.
      if (found && this.#lookups.get(secretHash) === lookup) this.#leases.set(secretHash, found);
      return found;
    } finally {
      if (this.#lookups.get(secretHash) === lookup) this.#lookups.delete(secretHash);
    }
  }

  /** Removes the key from the cache. Call it after the revocation of the key is stored. */
  end(keyId: string): void {
    this.#lookups.clear();
    for (const [secretHash, { holder }] of Array.from(this.#leases.entries()))
      if (holder !== 'root' && holder.keyId === keyId) this.#leases.delete(secretHash);
  }

  async #find(secretHash: string): Promise<Lease | undefined> {
    // The lease counts from before the lookup, so that a key revoked meanwhile is valid no longer than that.
    const startedAt = performance.now();
    const key = await this.keys.findHolder(secretHash);
    if (key) return { holder: key.principal, until: startedAt + Math.min(leaseMs, key.validMs) };
    const isRoot = sameHash(secretHash, await this.rootKeyHash());
    return isRoot ? { holder: 'root', until: startedAt + leaseMs } : undefined;
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

/** The root key acts in one workspace per request; events name it `admin`. */
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
