import { type RawBuilder, sql } from 'kysely';

import { type JsonValue } from '#event-sourcing';

import { harmlessJson } from './harmless-json.js';
import { type Search, anyOf } from './search-conditions.js';

type Sql = RawBuilder<unknown>;

/** Looked up one by one: with fewer of them there are only more candidates. */
const maxLeaves = 16;

/**
 * Conditions that every context meets of which somebody sees what is looked for, and others meet too: whatever is seen
 * stood in some row, if not all of it in the same, however much has happened since that is not seen; of a fork perhaps in
 * a row of what it was forked from.
 */
export function candidateConditions(workspace: string, { words = [], parts = [] }: Search): Sql[] {
  const stood = (condition: Sql) => sql`c.context_id in (
    with recursive holding as (
      select s.context_id from throughline.search_items s
      where s.workspace = ${workspace} and ${condition}
      union
      select l.context_id from holding h
      join throughline.context_lineages l on l.workspace = ${workspace} and l.base_context_id = h.context_id)
    select context_id from holding)`;
  const alternatives = words.map((all) => [
    sql`true`,
    ...all.flatMap(({ phrase, negated }) =>
      negated ? [] : [stood(sql`s.words @@ ${phrase}::tsquery`)],
    ),
  ]);
  const leaves = parts.flatMap(leavesOf).slice(0, maxLeaves);
  const conditions = leaves.map((leaf) => stood(sql`s.value @> ${harmlessJson(leaf)}::jsonb`));
  return alternatives.length > 0 ? [...conditions, anyOf(alternatives)] : conditions;
}

/** What a pattern asks for, each value by itself at its place. */
function leavesOf(pattern: JsonValue): JsonValue[] {
  if (Array.isArray(pattern) && pattern.length > 0)
    return pattern.flatMap((entry: JsonValue) => leavesOf(entry).map((leaf) => [leaf]));
  if (typeof pattern !== 'object' || pattern === null || Object.keys(pattern).length === 0)
    return [pattern];
  return Object.entries(pattern).flatMap(([name, value]) =>
    leavesOf(value).map((leaf) => Object.fromEntries([[name, leaf]])),
  );
}
