import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type Item } from '#shared-context';

import { itemRow, toItem } from '../contexts/item-rows.js';
import { bodyOf } from '../contexts/referenced-body.js';

const decisionRow = itemRow.extend({ context_id: z.string() });

/**
 * The current decisions in the rows of several contexts of one workspace, by context. Undefined if there are more than
 * `limit`. Contexts that continue another one or an earlier version also have decisions in rows of these.
 */
export async function findDecisionsOfContexts(
  db: Kysely<Database>,
  workspace: string,
  { contextIds, limit }: Readonly<{ contextIds: readonly string[]; limit: number }>,
): Promise<ReadonlyMap<string, readonly Item[]> | undefined> {
  if (contextIds.length === 0) return new Map();
  const { rows } = await sql`
    select i.context_id, i.kind, i.key, i.from_version, i.state, ${bodyOf} as body, i.sources
    from throughline.context_items i
    where i.workspace = ${workspace} and i.context_id = any(${contextIds}) and i.kind = 'decision'
      and i.to_version is null
    limit ${limit + 1}`.execute(db);
  if (rows.length > limit) return undefined;
  const byContext = Map.groupBy(
    rows.map((row) => decisionRow.parse(row)),
    (row) => row.context_id,
  );
  return new Map([...byContext].map(([contextId, found]) => [contextId, found.map(toItem)]));
}
