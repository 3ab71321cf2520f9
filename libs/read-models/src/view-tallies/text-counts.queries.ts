import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database, integerArray, textArray } from '#database';

/** The number of tokenizer units of a text; `hash`: of the text, hexadecimal. */
type StoredCount = Readonly<{ hash: string; units: number }>;

type CountScope = Readonly<{ workspace: string; tokenizer: string }>;

const storedCount = z.object({ hash: z.string(), units: z.number() });

/** The stored counts with these hashes. */
export async function findTextCounts(
  db: Kysely<Database>,
  { workspace, tokenizer }: CountScope,
  hashes: readonly string[],
): Promise<readonly StoredCount[]> {
  const { rows } = await sql`
    select encode(c.hash, 'hex') as hash, c.units
    from unnest(${textArray(hashes)}::text[]) as w(hash)
    join throughline.context_summary_counts c
      on c.workspace = ${workspace} and c.tokenizer = ${tokenizer} and c.hash = decode(w.hash, 'hex')`.execute(
    db,
  );
  return rows.map((row) => storedCount.parse(row));
}

/**
 * The same text always has the same count, so that existing rows are left unchanged. Inserts in the order of the
 * hashes, so that concurrent inserts of the same hashes wait instead of deadlocking.
 */
export async function storeTextCounts(
  db: Kysely<Database>,
  { workspace, tokenizer }: CountScope,
  counts: readonly StoredCount[],
): Promise<void> {
  await sql`
    insert into throughline.context_summary_counts (workspace, tokenizer, hash, units)
    select ${workspace}, ${tokenizer}, decode(t.hash, 'hex'), t.units
    from unnest(
      ${textArray(counts.map(({ hash }) => hash))}::text[],
      ${integerArray(counts.map(({ units }) => units))}::int[]) as t(hash, units)
    order by t.hash
    on conflict do nothing`.execute(db);
}
