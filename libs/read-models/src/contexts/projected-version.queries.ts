import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

import { liveTables } from '../tables.js';

/** The version that the rows of a context have reached; later events are only in the stream. */
export async function findProjectedVersion(db: Kysely<Database>, id: ContextId): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select version from ${liveTables.contexts}
    where workspace = ${id.workspace} and context_id = ${id.contextId}`.execute(db);
  return rows[0]?.version ?? 0;
}
