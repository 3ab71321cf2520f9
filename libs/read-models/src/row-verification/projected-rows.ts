import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId, contextStream } from '#shared-context';

import { headRow } from '../contexts/head-rows.js';
import { bodyOf } from '../contexts/referenced-body.js';
import { partitionOf } from '../projector/partition.js';
import { sharedContextProjection } from '../projector/shared-context.projection.js';
import { liveTables } from '../tables.js';
import {
  type RowLines,
  headLine,
  itemLine,
  lineageLine,
  versionLine,
  workLine,
} from './row-lines.js';

/** The rows of one context at one moment, and how far the projection has got. */
export type ProjectedContext = Readonly<{
  /** 0 if it is not projected. */
  version: number;
  lines: RowLines;
  /** The position that its partition has reached; null before the first event. */
  checkpoint: string | null;
  /** The version at which the context was quarantined. */
  quarantinedAt: number | null;
}>;

const owner = z.object({ workspace: z.string(), context_id: z.string() });
const itemColumns = owner.extend({
  kind: z.string(),
  key: z.string(),
  from_version: z.number(),
  to_version: z.number().nullable(),
  state: z.string(),
  body: z.string().nullable(),
  sources: z.string().nullable(),
});
const versionColumns = owner.extend({
  version: z.number(),
  recorded_at: z.string(),
  principal: z.string(),
  bytes: z.coerce.number(),
  tokens: z.coerce.number(),
  event_id: z.string().nullable(),
  correlation_id: z.string().nullable(),
  causation_id: z.string().nullable(),
  based_on: z.string().nullable(),
  activity: z.string().nullable(),
});
const agentColumns = owner.extend({ agent_id: z.string() });
const lineageColumns = owner.extend({
  from_version: z.number(),
  base_context_id: z.string(),
  base_version: z.number(),
});
const ownedWorkColumns = owner.extend({
  kind: z.string(),
  key: z.string(),
  assignee: z.string().nullable(),
  due: z.boolean(),
  priority: z.number(),
  opened_at: z.string(),
  from_version: z.number(),
  state: z.string(),
  body: z.string().nullable(),
  sources: z.string().nullable(),
});
const quarantineColumns = owner.extend({ version: z.number() });
const partitionColumns = z.object({ partition: z.number(), position: z.string().nullable() });

/** The rows of these contexts at one moment, in the order of the ids. */
export async function readProjectedContexts(
  db: Kysely<Database>,
  ids: readonly ContextId[],
): Promise<ProjectedContext[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const rows = await readRows(trx, ids);
      const partitions = await checkpoints(trx);
      return ids.map((id) => projectedContext(id, rows, partitions));
    });
}

/** The version of the code that wrote the rows and the log they follow; undefined if there is no projection. */
export async function findProjectionOrigin(
  db: Kysely<Database>,
): Promise<Readonly<{ version: number; storeIdentity: string }> | undefined> {
  const { rows } = await sql<{ version: number; storeIdentity: string }>`
    select version, store_identity as "storeIdentity" from throughline.projections
    where projection = ${sharedContextProjection}`.execute(db);
  return rows[0];
}

/** A context that has rows but no stream in the same database; undefined if there is none. */
export async function findOrphan(db: Kysely<Database>): Promise<ContextId | undefined> {
  const { rows } = await sql`
    select workspace, context_id from (
      select workspace, context_id from ${liveTables.contexts}
      union select workspace, context_id from ${liveTables.items}
      union select workspace, context_id from ${liveTables.versions}
      union select workspace, context_id from ${liveTables.agents}
      union select workspace, context_id from ${liveTables.lineages}
      union select workspace, context_id from ${liveTables.openWork}) r
    where not exists (
      select from throughline.streams s where s.stream = 'context-' || r.workspace || ':' || r.context_id)
    limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { workspace, context_id: contextId } = owner.parse(row);
  return { workspace, contextId };
}

type Rows = Awaited<ReturnType<typeof readRows>>;

/** Returns the hashes of texts, which may be large. */
async function readRows(trx: Transaction<Database>, ids: readonly ContextId[]) {
  const requested = sql`
    join unnest(${ids.map(({ workspace }) => workspace)}::text[], ${ids.map(({ contextId }) => contextId)}::text[])
      as requested(workspace, context_id) using (workspace, context_id)`;
  const heads = await sql`select * from ${liveTables.contexts} ${requested}`.execute(trx);
  const items = await sql`
    select workspace, context_id, kind, key, from_version, to_version, ${hashed('state')}, ${hashed('body')}, ${hashed('sources')}
    from (
      select i.workspace, i.context_id, i.kind, i.key, i.from_version, i.to_version, i.state, i.sources,
        case when i.body_position is null or i.body is null then ${bodyOf} end as body
      from ${liveTables.items} i) items ${requested}`.execute(trx);
  const versions = await sql`select * from ${liveTables.versions} ${requested}`.execute(trx);
  const agents = await sql`select * from ${liveTables.agents} ${requested}`.execute(trx);
  const lineages = await sql`select * from ${liveTables.lineages} ${requested}`.execute(trx);
  const work = await sql`
    select workspace, context_id, kind, key, assignee, due, priority, opened_at, from_version,
      ${hashed('state')}, ${hashed('body')}, ${hashed('sources')}
    from ${liveTables.openWork} ${requested}`.execute(trx);
  const quarantined = await sql`
    select workspace, context_id, version from throughline.dead_letters ${requested}
    where projection = ${sharedContextProjection}`.execute(trx);
  return {
    heads: byContext(headRow, heads.rows),
    items: byContext(itemColumns, items.rows),
    versions: byContext(versionColumns, versions.rows),
    agents: byContext(agentColumns, agents.rows),
    lineages: byContext(lineageColumns, lineages.rows),
    work: byContext(ownedWorkColumns, work.rows),
    quarantined: byContext(quarantineColumns, quarantined.rows),
  };
}

function hashed(column: string) {
  return sql`encode(sha256(convert_to(${sql.ref(column)}, 'UTF8')), 'hex') as ${sql.ref(column)}`;
}

function byContext<Row extends z.output<typeof owner>>(
  schema: z.ZodType<Row>,
  rows: readonly unknown[],
): Map<string, Row[]> {
  return Map.groupBy(
    rows.map((row) => schema.parse(row)),
    ({ workspace, context_id: contextId }) => contextStream({ workspace, contextId }),
  );
}

async function checkpoints(trx: Transaction<Database>): Promise<Map<number, string | null>> {
  const { rows } = await sql`
    select partition, position from throughline.projection_partitions
    where projection = ${sharedContextProjection}`.execute(trx);
  return new Map(
    rows
      .map((row) => partitionColumns.parse(row))
      .map(({ partition, position }) => [partition, position] as const),
  );
}

function projectedContext(
  id: ContextId,
  rows: Rows,
  partitions: ReadonlyMap<number, string | null>,
): ProjectedContext {
  const stream = contextStream(id);
  const own = <Row>(table: ReadonlyMap<string, readonly Row[]>) => table.get(stream) ?? [];
  const [head] = own(rows.heads);
  const [quarantined] = own(rows.quarantined);
  return {
    version: head ? head.version : 0,
    lines: {
      // The fold has no row for a registration.
      contexts: own(rows.heads)
        .filter(({ version }) => version > 0)
        .map(headLine),
      context_items: own(rows.items).map(itemLineOf).sort(),
      context_versions: own(rows.versions).map(versionLineOf).sort(),
      context_agents: own(rows.agents)
        .map(({ agent_id }) => agent_id)
        .sort(),
      context_lineages: own(rows.lineages).map(lineageLineOf).sort(),
      open_work: own(rows.work).map(workLine).sort(),
    },
    checkpoint: partitions.get(partitionOf(stream)) ?? null,
    quarantinedAt: quarantined ? quarantined.version : null,
  };
}

function itemLineOf({ from_version: from, to_version: to, ...row }: z.output<typeof itemColumns>) {
  return itemLine({ ...row, from, to });
}

function lineageLineOf(row: z.output<typeof lineageColumns>) {
  const { from_version: from, base_context_id: baseContext, base_version: baseVersion } = row;
  return lineageLine({ from, baseContext, baseVersion });
}

function versionLineOf(row: z.output<typeof versionColumns>) {
  const { recorded_at: recordedAt, event_id: eventId } = row;
  const { correlation_id: correlationId, causation_id: causationId, based_on: basedOn } = row;
  return versionLine({ ...row, recordedAt, eventId, correlationId, causationId, basedOn });
}
