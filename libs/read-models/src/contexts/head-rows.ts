import { parseJsonString } from '#event-sourcing';
import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database, textArray } from '#database';
import { type ContextHead, type ContextId } from '#shared-context';

import { type ReadModelTables } from '../tables.js';
import { decodeActivity } from './activity-column.js';

type Db = Kysely<Database> | Transaction<Database>;

export const headRow = z.object({
  workspace: z.string(),
  context_id: z.string(),
  version: z.number(),
  hash: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  create_key: z.string().nullable(),
  modified_at: z.string(),
  modified_by: z.string(),
  title: z.string().nullable(),
  status: z.string(),
  workflow_id: z.string().nullable(),
  parent: z.string().nullable(),
  bytes: z.coerce.number(),
  tokens: z.coerce.number(),
  activity: z.string(),
  lineage: z.number().nullable(),
  imported: z.boolean().nullable(),
});

export function toHead(row: z.output<typeof headRow>): ContextHead {
  return {
    workspace: row.workspace,
    contextId: row.context_id,
    version: row.version,
    hash: row.hash,
    createdAt: row.created_at,
    createdBy: row.created_by,
    createKey: row.create_key,
    modifiedAt: row.modified_at,
    modifiedBy: row.modified_by,
    title: row.title === null ? null : parseJsonString(row.title),
    status: row.status,
    workflowId: row.workflow_id,
    parent: row.parent,
    bytes: row.bytes,
    tokens: row.tokens,
    activity: decodeActivity(row.activity),
    lineage: row.lineage,
    imported: row.imported ?? false,
  };
}

/** The heads of those of these contexts that the rows hold. */
export async function findHeads(
  db: Db,
  tables: ReadModelTables,
  ids: readonly ContextId[],
): Promise<ContextHead[]> {
  const { rows } = await sql`
    select c.* from ${tables.contexts} c
    join unnest(
      ${textArray(ids.map(({ workspace }) => workspace))}::text[],
      ${textArray(ids.map(({ contextId }) => contextId))}::text[])
      as requested(workspace, context_id) using (workspace, context_id)`.execute(db);
  return rows.map((row) => toHead(headRow.parse(row)));
}

/** Makes a new context findable before the projection reaches it; leaves an existing row unchanged. */
export async function registerContext(db: Db, head: ContextHead): Promise<void> {
  await sql`
    insert into throughline.contexts
    select * from json_populate_record(null::throughline.contexts, ${JSON.stringify(headColumns(head, 0))}::json)
    on conflict do nothing`.execute(db);
}

/** A statement that inserts or updates the heads. */
export function writtenHeads(tables: ReadModelTables, heads: readonly ContextHead[]) {
  return sql`
    insert into ${tables.contexts}
    select * from json_populate_recordset(null::throughline.contexts,
      ${JSON.stringify(heads.map((head) => headColumns(head)))}::json)
    on conflict (workspace, context_id) do update set
      version = excluded.version, hash = excluded.hash, modified_at = excluded.modified_at,
      modified_by = excluded.modified_by, title = excluded.title, status = excluded.status,
      workflow_id = excluded.workflow_id, parent = excluded.parent, bytes = excluded.bytes, tokens = excluded.tokens, activity = excluded.activity, lineage = excluded.lineage,
      imported = excluded.imported`;
}

/** The columns of a head; version 0 marks a context that is registered but not projected yet. */
export function headColumns(
  head: ContextHead,
  version: number = head.version,
): z.output<typeof headRow> {
  return {
    workspace: head.workspace,
    context_id: head.contextId,
    version,
    hash: head.hash,
    created_at: head.createdAt,
    created_by: head.createdBy,
    create_key: head.createKey,
    modified_at: head.modifiedAt,
    modified_by: head.modifiedBy,
    title: head.title === null ? null : JSON.stringify(head.title),
    status: head.status,
    workflow_id: head.workflowId,
    parent: head.parent,
    bytes: head.bytes,
    tokens: head.tokens,
    activity: JSON.stringify(head.activity),
    lineage: head.lineage,
    imported: head.imported,
  };
}
