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

/**
 * Conditions on the row `c` of a context. Each word and each part is looked for by itself: by its index where few have
 * it, along the list where many do, as the planner finds cheaper. What is current decides: rows of the past are there
 * for those who do not see what came after them.
 */
export function searchConditions(workspace: string, { words = [], parts = [] }: Search): Sql[] {
  const isFound = (condition: Sql) => sql`c.context_id in (
    select s.context_id from throughline.search_items s
    where s.workspace = ${workspace} and s.to_version is null and ${condition})`;
  const alternatives = joined(words).map((all) =>
    all.map(({ phrase, negated }) => {
      const found = isFound(sql`s.words @@ ${phrase}::tsquery`);
      return negated ? sql`not ${found}` : found;
    }),
  );
  const conditions = parts.map((part) => isFound(sql`s.value @> ${harmlessJson(part)}::jsonb`));
  return alternatives.length > 0 ? [...conditions, anyOf(alternatives)] : conditions;
}

/** Alternatives that are but a word or a phrase each are looked for at once. */
function joined(words: WordQuery): WordQuery {
  const single = words.filter(([first, second]) => !first?.negated && !second);
  if (single.length < 2) return words;
  const phrase = single.flatMap((all) => all.map((each) => `(${each.phrase})`)).join(' | ');
  return [...words.filter((all) => !single.includes(all)), [{ words: [], phrase, negated: false }]];
}

export function anyOf(alternatives: readonly (readonly Sql[])[]): Sql {
  const each = alternatives.map((conditions) => sql.join(conditions, sql` and `));
  return each.length === 1 ? sql`${each[0]}` : sql`(${sql.join(each, sql` or `)})`;
}
