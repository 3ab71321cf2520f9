import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database, integerArray, textArray } from '#database';
import { type ContextId } from '#shared-context';

/**
 * Counts and facts of a run of entries, as JSON text; `covers`: estimated tokens of these entries; `hash`: hexadecimal.
 */
type StoredTally = Readonly<{ hash: string; covers: number; tally: string }>;

const storedTally = z.object({ hash: z.string(), covers: z.number(), tally: z.string() });

/** The stored tallies of a context with these hashes. */
export async function findGroupTallies(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
  hashes: readonly string[],
): Promise<readonly StoredTally[]> {
  const { rows } = await sql`
    select encode(g.hash, 'hex') as hash, g.covers, g.tally
    from unnest(${textArray(hashes)}::text[]) as w(hash)
    join throughline.context_summary_groups g
      on g.workspace = ${workspace} and g.context_id = ${contextId} and g.hash = decode(w.hash, 'hex')`.execute(
    db,
  );
  return rows.map((row) => storedTally.parse(row));
}

/**
 * The same hash always has the same tally, so that existing rows are left unchanged. Inserts in the order of the
 * hashes, so that concurrent inserts of the same hashes wait instead of deadlocking.
 */
export async function storeGroupTallies(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
  tallies: readonly StoredTally[],
): Promise<void> {
  await sql`
    insert into throughline.context_summary_groups (workspace, context_id, hash, covers, tally)
    select ${workspace}, ${contextId}, decode(t.hash, 'hex'), t.covers, t.tally
    from unnest(
      ${textArray(tallies.map(({ hash }) => hash))}::text[],
      ${integerArray(tallies.map(({ covers }) => covers))}::int[],
      ${textArray(tallies.map(({ tally }) => tally))}::text[]) as t(hash, covers, tally)
    order by t.hash
    on conflict do nothing`.execute(db);
}
