import { type Transaction, sql } from 'kysely';

import { type Database } from '#database';

import { type ReadModelTables } from '../tables.js';
import { writeHeads } from './head-rows.js';
import { addItems, endItems } from './item-rows.js';
import { type ContextChanges } from './project-events.js';

/** Writes what a batch did to many contexts, in a handful of statements. */
export async function writeChanges(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  changes: readonly ContextChanges[],
): Promise<void> {
  await writeHeads(
    trx,
    tables,
    changes.map(({ head }) => head),
  );
  await endItems(
    trx,
    tables,
    changes.flatMap(({ ended }) => ended),
  );
  await addItems(
    trx,
    tables,
    changes.flatMap(({ added }) => added),
  );
  await addVersions(
    trx,
    tables,
    changes.flatMap(({ versions }) => versions),
  );
  await addAgents(trx, tables, changes);
}

async function addVersions(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  rows: ContextChanges['versions'],
): Promise<void> {
  await sql`
    insert into ${tables.versions} (workspace, context_id, version, recorded_at, principal, bytes, tokens)
    select * from unnest(
      ${rows.map(({ workspace }) => workspace)}::text[], ${rows.map(({ contextId }) => contextId)}::text[],
      ${rows.map(({ version }) => version)}::int[], ${rows.map(({ recordedAt }) => recordedAt)}::text[],
      ${rows.map(({ principal }) => principal)}::text[], ${rows.map(({ bytes }) => bytes)}::bigint[],
      ${rows.map(({ tokens }) => tokens)}::bigint[])`.execute(trx);
}

async function addAgents(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  changes: readonly ContextChanges[],
): Promise<void> {
  const pairs = changes.flatMap(({ head, agents }) => agents.map((agentId) => ({ head, agentId })));
  await sql`
    insert into ${tables.agents} (workspace, agent_id, context_id)
    select * from unnest(
      ${pairs.map(({ head }) => head.workspace)}::text[], ${pairs.map(({ agentId }) => agentId)}::text[],
      ${pairs.map(({ head }) => head.contextId)}::text[])
    on conflict do nothing`.execute(trx);
}
