import { isDeepStrictEqual } from 'node:util';

import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';

import { type Database } from '#database';
import {
  type Policy,
  builtInPolicies,
  earlierPolicies,
  everything,
  policySchema,
} from '#visibility';

import { DATABASE } from '../tokens.js';
import { type StoredValue, VersionedStore } from '../versioned-store/versioned-store.js';
import { type SizedAudience } from './policy-page.js';

export type StoredPolicy = Readonly<{ version: number; policy: Policy }>;

type PolicyKey = Readonly<{ workspace: string; audience: string }>;

const versionTable = {
  table: 'policy_versions',
  name: 'audience',
  value: 'policy',
  lock: 'policies',
};
/** Parsing and indexing one of the largest policies, half a mebibyte, takes 0.1 s of processor time; the cache avoids that. */
const maxCached = 32;

/** The policies, by workspace and audience; every version is stored. */
@Injectable()
export class PolicyStore {
  readonly #cache = new LRUCache<string, StoredPolicy>({ max: maxCached });
  readonly #versions: VersionedStore<typeof versionTable>;

  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {
    this.#versions = new VersionedStore(db, versionTable);
  }

  /**
   * The current policy, set by any process; undefined if the audience is neither built in nor defined. Returns the same object
   * until the policy changes, so that callers can cache by its identity.
   */
  async find({ workspace, audience }: PolicyKey): Promise<StoredPolicy | undefined> {
    const key = JSON.stringify([workspace, audience]);
    const cached = this.#cache.get(key);
    const place = { workspace, name: audience };
    const found = await this.#versions.newestIfChanged(cached?.version ?? 0, place);
    if (found === 'unchanged') return cached;
    if (!found) {
      // After a restore of the database the same version number may come again with another policy.
      this.#cache.delete(key);
      const [builtIn] = builtInOf(audience);
      return builtIn && { version: 0, policy: builtIn };
    }
    const policy = toPolicy(found);
    this.#cache.set(key, policy);
    return policy;
  }

  /** The audiences that are built in or defined, without `all`, in no particular order. */
  async audiences(workspace: string): Promise<readonly SizedAudience[]> {
    const { rows } = await sql<SizedAudience>`
      select distinct on (audience) audience, octet_length(policy) as bytes
      from throughline.policy_versions where workspace = ${workspace}
      order by audience, version desc`.execute(this.db);
    const defined = new Set(rows.map(({ audience }) => audience));
    const builtIn = Object.keys(builtInPolicies).filter((audience) => !defined.has(audience));
    return [...builtIn.map((audience) => ({ audience, bytes: 0 })), ...rows];
  }

  /** The current policies of these audiences, by audience; those without a policy are missing. Reads them in one statement. */
  async findAll(
    workspace: string,
    audiences: readonly string[],
  ): Promise<ReadonlyMap<string, StoredPolicy>> {
    const stored = await this.#versions.list(workspace, sql`audience = any(${audiences}::text[])`);
    const builtIn = audiences.flatMap((audience) => {
      const [policy] = builtInOf(audience);
      return policy ? [[audience, { version: 0, policy }] as const] : [];
    });
    return new Map([...builtIn, ...stored.map((one) => [one.name, toPolicy(one)] as const)]);
  }

  /** The audiences among these that are neither built in nor defined. */
  async findUndefined(workspace: string, audiences: readonly string[]): Promise<string[]> {
    const others = audiences.filter((one) => one !== everything && builtInOf(one).length === 0);
    if (others.length === 0) return [];
    const versions = await this.versionsOf(others.map((audience) => ({ workspace, audience })));
    return others.filter((_, at) => versions[at] === 0);
  }

  /** The current version of each of these policies, in their order; 0 for an audience without a stored policy. */
  async versionsOf(places: readonly PolicyKey[]): Promise<readonly number[]> {
    const { rows } = await sql<{ version: number }>`
      select coalesce(max(stored.version), 0)::int as version
      from unnest(${places.map(({ workspace }) => workspace)}::text[], ${places.map(({ audience }) => audience)}::text[])
        with ordinality as requested (workspace, audience, at)
      left join throughline.policy_versions stored
        on stored.workspace = requested.workspace and stored.audience = requested.audience
      group by requested.at order by requested.at`.execute(this.db);
    return rows.map(({ version }) => version);
  }

  /** Every stored and built-in policy of an audience, the newest first. */
  async all({ workspace, audience }: PolicyKey): Promise<readonly Policy[]> {
    const { rows } = await sql<{ policy: string }>`
      select policy from throughline.policy_versions
      where workspace = ${workspace} and audience = ${audience} order by version desc`.execute(
      this.db,
    );
    const stored = rows.map(({ policy }) => policySchema.parse(JSON.parse(policy)));
    return [...stored, ...builtInOf(audience)];
  }

  /** Adds a version, unless the policy equals the current one; concurrent calls run one after the other. */
  async set({ workspace, audience }: PolicyKey, policy: Policy, by: string): Promise<void> {
    await this.#versions.put({ workspace, name: audience }, by, (before) =>
      before && isDeepStrictEqual(toPolicy(before).policy, policy)
        ? before
        : JSON.stringify(policy),
    );
  }
}

function builtInOf(audience: string): readonly Policy[] {
  const policy = Object.hasOwn(builtInPolicies, audience) ? builtInPolicies[audience] : undefined;
  return policy ? [policy, ...(earlierPolicies[audience] ?? [])] : [];
}

function toPolicy({ version, value }: StoredValue): StoredPolicy {
  return { version, policy: policySchema.parse(JSON.parse(value)) };
}
