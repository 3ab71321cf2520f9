import { type RawBuilder, sql } from 'kysely';

import { type JsonObject } from '#event-sourcing';

import { harmlessJson } from './harmless-json.js';
import { type WordQuery } from './search-words.js';

/** The words and the parts of its document that a context must contain; {@link splitPattern} returns the parts. */
export type Search = Readonly<{
  words?: WordQuery | undefined;
  parts?: readonly JsonObject[] | undefined;
}>;

type Sql = RawBuilder<unknown>;

/**
 * Conditions on the row `c` of a context. Each word and each part is a separate condition, so that the planner can
 * choose between its index and the list of contexts. Only current rows match: rows of the past are for readers from
 * whom newer changes are hidden.
 */
export function searchConditions(workspace: string, { words = [], parts = [] }: Search): Sql[] {
  const matches = (condition: Sql) => sql`c.context_id in (
    select s.context_id from throughline.search_items s
    where s.workspace = ${workspace} and s.to_version is null and ${condition})`;
  const alternatives = joinSingles(words).map((all) =>
    all.map(({ phrase, negated }) => {
      const condition = matches(sql`s.words @@ ${phrase}::tsquery`);
      return negated ? sql`not ${condition}` : condition;
    }),
  );
  const conditions = parts.map((part) => matches(sql`s.value @> ${harmlessJson(part)}::jsonb`));
  return alternatives.length > 0 ? [...conditions, anyOf(alternatives)] : conditions;
}

/** Combines alternatives that consist of a single word or phrase into one condition. */
function joinSingles(words: WordQuery): WordQuery {
  const single = words.filter(([first, second]) => !first?.negated && !second);
  if (single.length < 2) return words;
  const phrase = single.flatMap((all) => all.map((each) => `(${each.phrase})`)).join(' | ');
  return [...words.filter((all) => !single.includes(all)), [{ words: [], phrase, negated: false }]];
}

export function anyOf(alternatives: readonly (readonly Sql[])[]): Sql {
  const each = alternatives.map((conditions) => sql.join(conditions, sql` and `));
  return each.length === 1 ? sql`${each[0]}` : sql`(${sql.join(each, sql` or `)})`;
}
