import { isDeepStrictEqual } from 'node:util';

import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type Transaction, sql } from 'kysely';
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

export type StoredPolicy = Readonly<{ version: number; policy: Policy }>;

type Place = Readonly<{ workspace: string; audience: string }>;

/** Of the largest policies, half a mebibyte, parsing and indexing takes 0.1 s of processor time: cached, no measurable time. */
const mostCached = 32;

/** Who sees what, by workspace and audience; every version is kept. */
@Injectable()
export class PolicyStore {
  readonly #cache = new LRUCache<string, StoredPolicy>({ max: mostCached });

  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  /**
   * The policy in force, whichever process has set it; undefined if the audience is neither built in nor defined. The
   * same object again as long as it is: what was made of it is known by that.
   */
  async find(place: Place): Promise<StoredPolicy | undefined> {
    const name = JSON.stringify([place.workspace, place.audience]);
    const stated = await newest(this.db, place, this.#cache.get(name));
    // Without a value, the policy is dropped.
    this.#cache.set(name, stated);
    if (stated) return stated;
    const [builtIn] = builtInOf(place.audience);
    return builtIn && { version: 0, policy: builtIn };
  }

  /** Of these audiences, those that are neither built in nor defined. */
  async undefinedAmong(
    workspace: string,
    audiences: readonly string[],
  ): Promise<readonly string[]> {
    const asked = audiences.filter((one) => one !== everything && builtInOf(one).length === 0);
    if (asked.length === 0) return [];
    const { rows } = await sql<{ audience: string }>`
      select distinct audience from throughline.policy_versions
      where workspace = ${workspace} and audience = any(${asked}::text[])`.execute(this.db);
    const known = new Set(rows.map(({ audience }) => audience));
    return asked.filter((one) => !known.has(one));
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
  async all(place: Place): Promise<readonly Policy[]> {
    const { workspace, audience } = place;
    const { rows } = await sql<{ policy: string }>`
      select policy from throughline.policy_versions
      where workspace = ${workspace} and audience = ${audience} order by version desc`.execute(
      this.db,
    );
    const stated = rows.map(({ policy }) => policySchema.parse(JSON.parse(policy)));
    return [...stated, ...builtInOf(audience)];
  }

  /** Adds a version; two at once take turns. The policy that is in force already adds none. */
  async set(place: Place, policy: Policy, by: string): Promise<void> {
    const { workspace, audience } = place;
    await this.db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`throughline.policies.${workspace}`}, 0))`.execute(
        trx,
      );
      const before = await newest(trx, place);
      if (before && isDeepStrictEqual(before.policy, policy)) return;
      await sql`
        insert into throughline.policy_versions (workspace, audience, version, policy, changed_by)
        values (${workspace}, ${audience}, ${(before?.version ?? 0) + 1}, ${JSON.stringify(policy)}, ${by})`.execute(
        trx,
      );
    });
  }
}

function builtInOf(audience: string): readonly Policy[] {
  const policy = Object.hasOwn(builtInPolicies, audience) ? builtInPolicies[audience] : undefined;
  return policy ? [policy, ...(earlierPolicies[audience] ?? [])] : [];
}

/** Versions are only ever added: the text of one that is known is not asked for again. */
async function newest(
  db: Kysely<Database> | Transaction<Database>,
  { workspace, audience }: Place,
  known?: StoredPolicy,
): Promise<StoredPolicy | undefined> {
  const { rows } = await sql<{ version: number; policy: string | null }>`
    select version, case when version <> ${known?.version ?? 0}::int then policy end as policy
    from throughline.policy_versions
    where workspace = ${workspace} and audience = ${audience} order by version desc limit 1`.execute(
    db,
  );
  const [row] = rows;
  if (!row || row.policy === null) return row && known;
  return { version: row.version, policy: policySchema.parse(JSON.parse(row.policy)) };
}
