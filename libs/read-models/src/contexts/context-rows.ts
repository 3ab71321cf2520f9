import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Activity, type Item, type ItemKey, itemKinds } from '#shared-context';

import { type ContextHead } from './context-head.js';
import { type ContextId } from './context-stream.js';
import { type ContextChanges } from './project-events.js';

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
});

export const itemRow = z.object({
  kind: z.enum(itemKinds),
  key: z.string(),
  from_version: z.number(),
  state: z.string(),
  body: z.string().nullable(),
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
    title: row.title === null ? null : (JSON.parse(row.title) as string),
    status: row.status,
    workflowId: row.workflow_id,
    parent: row.parent,
    bytes: row.bytes,
    tokens: row.tokens,
    // JSON text that this library wrote itself.
    activity: JSON.parse(row.activity) as Activity,
  };
}

/** `state` and `body` are JSON text that this library wrote itself. */
export function toItem({ kind, key, from_version, state, body }: z.output<typeof itemRow>): Item {
  return {
    kind,
    key: decodeKey(key),
    fromVersion: from_version,
    state: JSON.parse(state) as JsonObject,
    body: body === null ? undefined : (JSON.parse(body) as JsonValue),
  };
}

/** The heads of these contexts, locked against other projections of the same rows. */
export async function lockHeads(db: Db, ids: readonly ContextId[]): Promise<ContextHead[]> {
  const { rows } = await sql`
    select c.* from throughline.contexts c
    join unnest(${ids.map(({ workspace }) => workspace)}::text[], ${ids.map(({ contextId }) => contextId)}::text[])
      as wanted(workspace, context_id) using (workspace, context_id)
    order by c.workspace, c.context_id for update of c`.execute(db);
  return rows.map((row) => toHead(headRow.parse(row)));
}

/** The current items under these keys, over many contexts. */
export async function findCurrentItems(
  db: Db,
  wanted: readonly (ContextId & ItemKey)[],
): Promise<(ContextId & Item)[]> {
  const { rows } = await sql`
    select i.workspace, i.context_id, i.kind, i.key, i.from_version, i.state, i.body
    from unnest(
      ${wanted.map(({ workspace }) => workspace)}::text[], ${wanted.map(({ contextId }) => contextId)}::text[],
      ${wanted.map(({ kind }) => kind)}::text[], ${wanted.map(({ key }) => encodeKey(key))}::text[]
    ) as wanted(workspace, context_id, kind, key)
    join throughline.context_items i using (workspace, context_id, kind, key)
    where i.to_version is null`.execute(db);
  return rows.map((row) => {
    const parsed = itemRow.extend({ workspace: z.string(), context_id: z.string() }).parse(row);
    return { workspace: parsed.workspace, contextId: parsed.context_id, ...toItem(parsed) };
  });
}

/** Writes what a batch did to many contexts, in a handful of statements. */
export async function writeChanges(
  trx: Transaction<Database>,
  changes: readonly ContextChanges[],
): Promise<void> {
  await writeHeads(
    trx,
    changes.map(({ head }) => head),
  );
  await endItems(
    trx,
    changes.flatMap(({ ended }) => ended),
  );
  await addItems(
    trx,
    changes.flatMap(({ added }) => added),
  );
  await addVersions(
    trx,
    changes.flatMap(({ versions }) => versions),
  );
  await addAgents(trx, changes);
}

/** Makes a created context findable before the projection reaches it; leaves a row that is there as it is. */
export async function registerContext(db: Db, head: ContextHead): Promise<void> {
  await sql`
    insert into throughline.contexts
    select * from json_populate_record(null::throughline.contexts, ${JSON.stringify(toRow(head, 0))}::json)
    on conflict do nothing`.execute(db);
}

async function writeHeads(
  trx: Transaction<Database>,
  heads: readonly ContextHead[],
): Promise<void> {
  await sql`
    insert into throughline.contexts
    select * from json_populate_recordset(null::throughline.contexts,
      ${JSON.stringify(heads.map((head) => toRow(head, head.version)))}::json)
    on conflict (workspace, context_id) do update set
      version = excluded.version, hash = excluded.hash, modified_at = excluded.modified_at,
      modified_by = excluded.modified_by, title = excluded.title, status = excluded.status,
      workflow_id = excluded.workflow_id, parent = excluded.parent, bytes = excluded.bytes, tokens = excluded.tokens, activity = excluded.activity`.execute(
    trx,
  );
}

async function endItems(trx: Transaction<Database>, ended: ContextChanges['ended']): Promise<void> {
  if (ended.length === 0) return;
  await sql`
    update throughline.context_items i set to_version = e.to_version
    from unnest(
      ${ended.map(({ workspace }) => workspace)}::text[], ${ended.map(({ contextId }) => contextId)}::text[],
      ${ended.map(({ kind }) => kind)}::text[], ${ended.map(({ key }) => encodeKey(key))}::text[],
      ${ended.map(({ fromVersion }) => fromVersion)}::int[], ${ended.map(({ toVersion }) => toVersion)}::int[]
    ) as e(workspace, context_id, kind, key, from_version, to_version)
    where (i.workspace, i.context_id, i.kind, i.key, i.from_version)
        = (e.workspace, e.context_id, e.kind, e.key, e.from_version)`.execute(trx);
}

async function addItems(trx: Transaction<Database>, added: ContextChanges['added']): Promise<void> {
  if (added.length === 0) return;
  await sql`
    insert into throughline.context_items (workspace, context_id, kind, key, from_version, to_version, state, body)
    select * from unnest(
      ${added.map(({ workspace }) => workspace)}::text[], ${added.map(({ contextId }) => contextId)}::text[],
      ${added.map(({ kind }) => kind)}::text[], ${added.map(({ key }) => encodeKey(key))}::text[],
      ${added.map(({ fromVersion }) => fromVersion)}::int[], ${added.map(({ toVersion }) => toVersion)}::int[],
      ${added.map(({ state }) => JSON.stringify(state))}::text[],
      ${added.map(({ body }) => (body === undefined ? null : JSON.stringify(body)))}::text[])`.execute(
    trx,
  );
}

async function addVersions(
  trx: Transaction<Database>,
  rows: ContextChanges['versions'],
): Promise<void> {
  await sql`
    insert into throughline.context_versions (workspace, context_id, version, recorded_at, principal, bytes, tokens)
    select * from unnest(
      ${rows.map(({ workspace }) => workspace)}::text[], ${rows.map(({ contextId }) => contextId)}::text[],
      ${rows.map(({ version }) => version)}::int[], ${rows.map(({ recordedAt }) => recordedAt)}::text[],
      ${rows.map(({ principal }) => principal)}::text[], ${rows.map(({ bytes }) => bytes)}::bigint[],
      ${rows.map(({ tokens }) => tokens)}::bigint[])`.execute(trx);
}

async function addAgents(
  trx: Transaction<Database>,
  changes: readonly ContextChanges[],
): Promise<void> {
  const pairs = changes.flatMap(({ head, agents }) => agents.map((agentId) => ({ head, agentId })));
  await sql`
    insert into throughline.context_agents (workspace, agent_id, context_id)
    select * from unnest(
      ${pairs.map(({ head }) => head.workspace)}::text[], ${pairs.map(({ agentId }) => agentId)}::text[],
      ${pairs.map(({ head }) => head.contextId)}::text[])
    on conflict do nothing`.execute(trx);
}

/**
 * PostgreSQL text holds neither NUL nor lone surrogates, which names of user data may contain: keys are kept as
 * the inside of their JSON string.
 */
export function encodeKey(key: string): string {
  return JSON.stringify(key).slice(1, -1);
}

function decodeKey(text: string): string {
  return JSON.parse(`"${text}"`) as string;
}

function toRow(head: ContextHead, version: number): z.output<typeof headRow> {
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
  };
}
