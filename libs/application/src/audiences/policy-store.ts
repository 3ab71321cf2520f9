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

export type StoredPolicy = Readonly<{ version: number; policy: Policy }>;

type Place = Readonly<{ workspace: string; audience: string }>;

const versionTable = {
  table: 'policy_versions',
  name: 'audience',
  value: 'policy',
  lock: 'policies',
};
/** Of the largest policies, half a mebibyte, parsing and indexing takes 0.1 s of processor time: cached, no measurable time. */
const maxCached = 32;

/** Who sees what, by workspace and audience; every version is kept. */
@Injectable()
export class PolicyStore {
  readonly #cache = new LRUCache<string, StoredPolicy>({ max: maxCached });
  readonly #versions: VersionedStore<typeof versionTable>;

  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {
    this.#versions = new VersionedStore(db, versionTable);
  }

  /**
   * The policy in force, whichever process has set it; undefined if the audience is neither built in nor defined. The
   * same object again as long as it is: what was made of it is known by that.
   */
  async find({ workspace, audience }: Place): Promise<StoredPolicy | undefined> {
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
    const stated = toPolicy(found);
    this.#cache.set(key, stated);
    return stated;
  }

  /** Of these audiences, those that are neither built in nor defined. */
  async undefinedAmong(workspace: string, audiences: readonly string[]): Promise<string[]> {
    const others = audiences.filter((one) => one !== everything && builtInOf(one).length === 0);
    if (others.length === 0) return [];
    const versions = await this.versionsOf(others.map((audience) => ({ workspace, audience })));
    return others.filter((_, at) => versions[at] === 0);
  }

  /** The version in force of each of these policies, in their order; 0 if it is not defined. */
  async versionsOf(places: readonly Place[]): Promise<readonly number[]> {
    const { rows } = await sql<{ version: number }>`
      select coalesce(max(stated.version), 0)::int as version
      from unnest(${places.map(({ workspace }) => workspace)}::text[], ${places.map(({ audience }) => audience)}::text[])
        with ordinality as asked (workspace, audience, at)
      left join throughline.policy_versions stated
        on stated.workspace = asked.workspace and stated.audience = asked.audience
      group by asked.at order by asked.at`.execute(this.db);
    return rows.map(({ version }) => version);
  }

  /** Every policy that was ever in force, the newest first. */
  async all({ workspace, audience }: Place): Promise<readonly Policy[]> {
    const { rows } = await sql<{ policy: string }>`
      select policy from throughline.policy_versions
      where workspace = ${workspace} and audience = ${audience} order by version desc`.execute(
      this.db,
    );
    const stated = rows.map(({ policy }) => policySchema.parse(JSON.parse(policy)));
    return [...stated, ...builtInOf(audience)];
  }

  /** Adds a version; two at once take turns. The policy that is in force already adds none. */
  async set({ workspace, audience }: Place, policy: Policy, by: string): Promise<void> {
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
