import { type Transaction, sql } from 'kysely';

import { type Database, bigintArray, integerArray, textArray, uuidArray } from '#database';

import { Slice } from '#slices';

import { writtenHeads } from '../contexts/head-rows.js';
import { addedItems, encodeKey, endedItems } from '../contexts/item-rows.js';
import { addLineages } from '../contexts/lineage-rows.js';
import { type RowChanges } from '../contexts/project-events.js';
import { type ReadModelTables } from '../tables.js';
import { writeOpenWork } from '../open-work/open-work-rows.js';

/** Writes the changes of a batch to many contexts, in a small number of statements. */
export async function writeChanges(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  changes: readonly RowChanges[],
): Promise<void> {
  await writeRows(trx, tables, changes);
  await addAgents(trx, tables, changes);
  await addLineages(
    trx,
    tables,
    changes.flatMap(({ lineage }) => lineage ?? []),
  );
  await writeOpenWork(trx, tables, changes);
}

/** Maximum item rows in one statement, so that other work can run before the next one is built. */
const maxRows = 4_096;

/**
 * Writes heads, items and versions in one statement: for few rows, a statement costs more in overhead than in work.
 * Many item rows take further statements.
 */
async function writeRows(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  changes: readonly RowChanges[],
): Promise<void> {
  const heads = writtenHeads(
    tables,
    changes.map(({ head }) => head),
  );
  const [ended = [], ...otherEnded] = partsOf(changes.flatMap((each) => each.ended));
  const [added = [], ...otherAdded] = partsOf(changes.flatMap((each) => each.added));
  const versions = addedVersions(
    tables,
    changes.flatMap((each) => each.versions),
  );
  const slice = new Slice();
  // All rows end before any is added, so that no item ever has two current rows.
  for (const part of otherEnded) {
    await endedItems(tables, part).execute(trx);
    if (slice.isOver) await slice.pause();
  }
  await sql`
    with heads as (${heads}), ended as (${endedItems(tables, ended)}), added as (${addedItems(tables, added, 'ended')})
    ${versions}`.execute(trx);
  for (const part of otherAdded) {
    if (slice.isOver) await slice.pause();
    await addedItems(tables, part).execute(trx);
  }
}

function partsOf<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / maxRows) }, (_, nth) =>
    rows.slice(nth * maxRows, (nth + 1) * maxRows),
  );
}

function addedVersions(tables: ReadModelTables, rows: RowChanges['versions']) {
  return sql`
    insert into ${tables.versions} (
      workspace, context_id, version, recorded_at, principal, bytes, tokens,
      event_id, correlation_id, causation_id, based_on, activity)
    select * from unnest(
      ${textArray(rows.map(({ workspace }) => workspace))}::text[],
      ${textArray(rows.map(({ contextId }) => contextId))}::text[],
      ${integerArray(rows.map(({ version }) => version))}::int[],
      ${textArray(rows.map(({ recordedAt }) => recordedAt))}::text[],
      ${textArray(rows.map(({ principal }) => principal))}::text[],
      ${bigintArray(rows.map(({ bytes }) => bytes))}::bigint[],
      ${bigintArray(rows.map(({ tokens }) => tokens))}::bigint[],
      ${uuidArray(rows.map(({ eventId }) => eventId))}::uuid[],
      ${textArray(rows.map(({ correlationId }) => tracedText(correlationId)))}::text[],
      ${textArray(rows.map(({ causationId }) => tracedText(causationId)))}::text[],
      ${textArray(rows.map(({ basedOn }) => basedOn))}::text[],
      ${textArray(rows.map(({ activity }) => activity && JSON.stringify(activity)))}::text[])`;
}

/** Imported events may contain text that PostgreSQL cannot store. */
function tracedText(text: string | null): string | null {
  return text === null ? null : encodeKey(text);
}

async function addAgents(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  changes: readonly RowChanges[],
): Promise<void> {
  const pairs = changes.flatMap(({ head, agents }) => agents.map((agentId) => ({ head, agentId })));
  if (pairs.length === 0) return;
  await sql`
    insert into ${tables.agents} (workspace, agent_id, context_id)
    select * from unnest(
      ${textArray(pairs.map(({ head }) => head.workspace))}::text[],
      ${textArray(pairs.map(({ agentId }) => agentId))}::text[],
      ${textArray(pairs.map(({ head }) => head.contextId))}::text[])
    on conflict do nothing`.execute(trx);
}
