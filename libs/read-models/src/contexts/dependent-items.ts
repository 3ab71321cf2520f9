import { type Kysely, sql } from 'kysely';

import { type Database, integerArray, textArray } from '#database';
import { type CallOptions } from '#event-sourcing';
import {
  type ContextId,
  type EndedDecision,
  type ItemKey,
  replacesWholeState,
  touchedKeys,
  workKinds,
} from '#shared-context';

import { liveTables } from '../tables.js';
import { type ContextReader } from './context-reader.js';
import { bodyOf } from './referenced-body.js';
import { decodeKey } from './item-rows.js';

type Source = Readonly<{ db: Kysely<Database>; reader: ContextReader }>;

/**
 * Decisions by id, the version spans in which they were in force, and the version for which dependents are searched.
 */
type DependentsRequest = Readonly<{
  decisionIds: readonly string[];
  spans: readonly Pick<EndedDecision, 'from' | 'until'>[];
  at: number;
  limit: number;
}>;

type Row = Readonly<{
  version: number;
  lineage: number | null;
  kind: ItemKey['kind'] | null;
  key: string | null;
}>;

/**
 * Decisions that refer to the given ones, and work whose authors had read a version at which these were in force; at
 * most `limit` items. Events after the rows contribute all the work that they change. Undefined for a fork or a
 * restored context.
 */
export async function findDependents(
  { db, reader }: Source,
  id: ContextId,
  decisions: DependentsRequest,
  options?: CallOptions,
): Promise<readonly ItemKey[] | undefined> {
  const rows = await findRows(db, id, decisions);
  const [first] = rows;
  if (!first || first.version === 0 || first.lineage !== null) return undefined;
  const keys = rows.flatMap(({ kind, key }): ItemKey[] =>
    kind === null || key === null ? [] : [{ kind, key: decodeKey(key) }],
  );
  const tail = { after: first.version, until: decisions.at };
  for await (const event of reader.tail(id, tail, options)) {
    if (replacesWholeState(event)) return undefined;
    keys.push(...touchedKeys(event).filter(({ kind }) => workKinds.includes(kind)));
  }
  return keys;
}

/** Returns one row without an item if there are no dependents. This library wrote the texts of the columns. */
async function findRows(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
  { decisionIds, spans, at, limit }: DependentsRequest,
): Promise<readonly Row[]> {
  const named = decisionIds.map((decisionId) => `"decisionId":${JSON.stringify(decisionId)}`);
  const { rows } = await sql<Row>`
    select c.version, c.lineage, i.kind, i.key
    from ${liveTables.contexts} c
    left join lateral (
      select i.kind, i.key from ${liveTables.items} i
      where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = any(${workKinds})
        and i.from_version <= ${at} and (i.to_version is null or i.to_version > ${at})
        and (
          exists (
            select from unnest(
              ${integerArray(spans.map(({ from }) => from))}::int[],
              ${integerArray(spans.map(({ until }) => until))}::int[]) as s(first, behind)
            where substring(i.state from '"basedOn":(-?[0-9]{1,9})[,}]')::int >= s.first
              and substring(i.state from '"basedOn":(-?[0-9]{1,9})[,}]')::int < s.behind)
          or i.kind = 'decision' and exists (
            select from (select ${bodyOf} as body offset 0) b, unnest(${textArray(named)}::text[]) as d(named)
            where strpos(b.body, d.named) > 0))
      order by i.from_version, i.kind, i.key
      limit ${limit}) i on c.lineage is null
    where c.workspace = ${workspace} and c.context_id = ${contextId}`.execute(db);
  return rows;
}
