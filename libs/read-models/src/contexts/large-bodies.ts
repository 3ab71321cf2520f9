import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database, integerArray, textArray } from '#database';
import { type ContextId } from '#shared-context';

import { type ReadModelTables } from '../tables.js';
import { PackedBody, largeBody } from './packed-body.js';
import { bodyBytesOf, bodyOf, presentBody } from './referenced-body.js';

type Source = Readonly<{ db: Kysely<Database>; tables: ReadModelTables }>;

/** A character that no JSON text begins with. */
const mark = '~';
/** Maximum bytes of bodies read in one statement. */
const maxAtOnce = 2_097_152;

const markedRow = z.object({
  kind: z.string(),
  key: z.string(),
  from_version: z.number(),
  body: z.string(),
});

const foundRow = z.object({ at: z.coerce.number(), body: z.string() });

type MarkedRow = Readonly<{ at: number; row: z.output<typeof markedRow> }>;

/** The payload column of the row `i`; for a large payload only its size, which {@link withLargeBodies} replaces. */
export const bodyOrSize = sql`
  case when ${bodyBytesOf} > ${largeBody} then ${mark} || ${bodyBytesOf} else ${bodyOf} end as body`;

/**
 * Item rows with their large bodies, which are read in batches and packed. Apart from their end, rows never change;
 * undefined if a rebuild has replaced them in the meantime.
 */
export async function withLargeBodies(
  source: Source,
  id: ContextId,
  rows: readonly unknown[],
): Promise<readonly unknown[] | undefined> {
  const found = [...rows];
  for (const batch of batchesOf(rows)) {
    const bodies = await readBodies(source, id, batch);
    if (bodies.length < batch.length) return undefined;
    for (const { at, body } of bodies) {
      const marked = batch[at - 1];
      if (marked) found[marked.at] = { ...marked.row, body: null, packed: new PackedBody(body) };
    }
  }
  return found;
}

function* batchesOf(rows: readonly unknown[]): Generator<readonly MarkedRow[]> {
  let batch: MarkedRow[] = [];
  let bytes = 0;
  for (const [at, row] of rows.entries()) {
    const size = sizeIn(row);
    if (size === undefined) continue;
    if (batch.length > 0 && bytes + size > maxAtOnce) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push({ at, row: markedRow.loose().parse(row) });
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function sizeIn(row: unknown): number | undefined {
  const body = typeof row === 'object' && row !== null && 'body' in row ? row.body : undefined;
  return typeof body === 'string' && body.startsWith(mark) ? Number(body.slice(1)) : undefined;
}

async function readBodies(
  { db, tables }: Source,
  { workspace, contextId }: ContextId,
  batch: readonly MarkedRow[],
) {
  const { rows } = await sql`
    select w.at, i.body from unnest(
      ${textArray(batch.map(({ row }) => row.kind))}::text[],
      ${textArray(batch.map(({ row }) => row.key))}::text[],
      ${integerArray(batch.map(({ row }) => row.from_version))}::int[]
    ) with ordinality as w(kind, key, from_version, at)
    cross join lateral (
      select ${bodyOf} as body from ${tables.items} i
      where i.workspace = ${workspace} and i.context_id = ${contextId} and i.kind = w.kind and i.key = w.key
        and i.from_version = w.from_version
      limit 1) i`.execute(db);
  return rows.map((row) => {
    const { at, body } = foundRow.parse(row);
    return { at, body: presentBody(body) };
  });
}
