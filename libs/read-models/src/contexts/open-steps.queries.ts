import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

import { liveTables } from '../tables.js';
import { type ContextId } from './context-stream.js';
import { decodeKey } from './item-rows.js';

const openStepsRow = z.object({
  projected: z.number(),
  lineage: z.number().nullable(),
  keys: z.array(z.string()),
});

/** Ids of steps, as of the version that the rows of a context have reached if that is earlier. */
export type OpenSteps = Readonly<{ projected: number; stepIds: readonly string[] }>;

/**
 * By the text: no function of JSON reads a state with a lone surrogate. A state has one member of this name, near its
 * beginning, and quotes within its strings are escaped.
 */
const isOpen = sql`strpos(i.state, '"status":"completed"') = 0`;

/**
 * The steps that run or failed at a version, whatever the number of those that are completed. Undefined if the rows do not say
 * it: they are not there, or the context stands on other versions.
 */
export async function findOpenSteps(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
  version: number,
): Promise<OpenSteps | undefined> {
  const { rows } = await sql`
    select c.version as projected, c.lineage, array(
      select i.key from ${liveTables.items} i
      where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = 'step'
        and i.to_version is null and i.from_version <= ${version}::int and ${isOpen}
      union all
      select i.key from ${liveTables.items} i
      where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = 'step'
        and c.version > ${version}::int
        and i.to_version > ${version}::int and i.from_version <= ${version}::int and ${isOpen}) as keys
    from ${liveTables.contexts} c
    where c.workspace = ${workspace} and c.context_id = ${contextId}`.execute(db);
  if (!rows[0]) return undefined;
  const { projected, lineage, keys } = openStepsRow.parse(rows[0]);
  return lineage === null ? { projected, stepIds: keys.map(decodeKey) } : undefined;
}
