import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextHead } from '#shared-context';

import { type ReadModelTables } from '../tables.js';

const versionRow = z.object({
  recorded_at: z.string(),
  principal: z.string(),
  bytes: z.coerce.number(),
  tokens: z.coerce.number(),
});

/** The head at `version`; undefined if the rows do not hold that version. */
export async function findHeadAt(
  db: Kysely<Database> | Transaction<Database>,
  tables: ReadModelTables,
  head: ContextHead,
  version: number,
): Promise<ContextHead | undefined> {
  if (head.version === version) return head;
  const { rows } = await sql`
    select recorded_at, principal, bytes, tokens from ${tables.versions}
    where workspace = ${head.workspace} and context_id = ${head.contextId} and version = ${version}`.execute(
    db,
  );
  if (rows.length === 0) return undefined;
  const row = versionRow.parse(rows[0]);
  return {
    ...head,
    version,
    modifiedAt: row.recorded_at,
    modifiedBy: row.principal,
    bytes: row.bytes,
    tokens: row.tokens,
  };
}
