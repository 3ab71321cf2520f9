import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database, integerArray, textArray } from '#database';

/** How many units of a tokenizer a text takes. `hash`: of the text, hexadecimal. */
type StoredCount = Readonly<{ hash: string; units: number }>;

type Counted = Readonly<{ workspace: string; tokenizer: string }>;

const storedCount = z.object({ hash: z.string(), units: z.number() });

/** Those that are known of these hashes. */
export async function findTextCounts(
  db: Kysely<Database>,
  { workspace, tokenizer }: Counted,
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

/** The same text always takes as much: what is there stays. In the order of the hashes, so that others with the same wait. */
export async function keepTextCounts(
  db: Kysely<Database>,
  { workspace, tokenizer }: Counted,
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
