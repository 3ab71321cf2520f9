import { type RawBuilder, sql } from 'kysely';

import { type JsonValue } from '#event-sourcing';

import { harmlessJson } from './harmless-json.js';
import { type Search, anyOf } from './search-conditions.js';

type Sql = RawBuilder<unknown>;

/** Each value costs one lookup. With fewer values there are only more candidates. */
const maxLeaves = 16;

/**
 * Conditions that every context meets in which some reader can find the search, and possibly other contexts. They also
 * match rows of the past, because newer changes may be hidden from a reader, and match words and values in different
 * rows; for a fork, they match rows of its sources.
 */
export function candidateConditions(workspace: string, { words = [], parts = [] }: Search): Sql[] {
  const everMatched = (condition: Sql) => sql`c.context_id in (
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
      negated ? [] : [everMatched(sql`s.words @@ ${phrase}::tsquery`)],
    ),
  ]);
  const leaves = parts.flatMap(leavesOf).slice(0, maxLeaves);
  const conditions = leaves.map((leaf) =>
    everMatched(sql`s.value @> ${harmlessJson(leaf)}::jsonb`),
  );
  return alternatives.length > 0 ? [...conditions, anyOf(alternatives)] : conditions;
}

/** Divides a pattern into one pattern for each value. */
function leavesOf(pattern: JsonValue): JsonValue[] {
  if (Array.isArray(pattern) && pattern.length > 0)
    return pattern.flatMap((entry: JsonValue) => leavesOf(entry).map((leaf) => [leaf]));
  if (typeof pattern !== 'object' || pattern === null || Object.keys(pattern).length === 0)
    return [pattern];
  return Object.entries(pattern).flatMap(([name, value]) =>
    leavesOf(value).map((leaf) => Object.fromEntries([[name, leaf]])),
  );
}
