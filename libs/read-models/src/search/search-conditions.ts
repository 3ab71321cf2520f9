import { type RawBuilder, sql } from 'kysely';

import { type JsonObject } from '#event-sourcing';

import { harmlessJson } from './harmless-json.js';
import { type WordQuery } from './search-words.js';

/** What a context must hold: words, and parts of its document as {@link splitPattern} gives them. */
export type Search = Readonly<{
  words?: WordQuery | undefined;
  parts?: readonly JsonObject[] | undefined;
}>;

type Sql = RawBuilder<unknown>;

/** Conditions on the row `c` of a context, and the clauses of `with` that they stand on. */
export type SearchConditions = Readonly<{ clauses: readonly Sql[]; conditions: readonly Sql[] }>;

/**
 * Each word and each part is looked up once, over the workspace, by its index. What is current decides: rows of the
 * past are there for those who do not see what came after them.
 */
export function searchConditions(
  workspace: string,
  { words = [], parts = [] }: Search,
): SearchConditions {
  const clauses: Sql[] = [];
  const isFound = (condition: Sql): Sql => {
    const name = sql.id(`found_${clauses.length}`);
    clauses.push(sql`${name} as materialized (
      select distinct s.context_id from throughline.search_items s
      where s.workspace = ${workspace} and s.to_version is null and ${condition})`);
    return sql`c.context_id in (select context_id from ${name})`;
  };
  const alternatives = words.map((all) =>
    all.map(({ phrase, negated }) => {
      const found = isFound(sql`s.words @@ ${phrase}::tsquery`);
      return negated ? sql`not ${found}` : found;
    }),
  );
  const conditions = parts.map((part) => isFound(sql`s.value @> ${harmlessJson(part)}::jsonb`));
  if (alternatives.length > 0)
    conditions.push(sql`(${sql.join(alternatives.map(allOf), sql` or `)})`);
  return { clauses, conditions };
}

function allOf(conditions: readonly Sql[]): Sql {
  return sql.join(conditions, sql` and `);
}
