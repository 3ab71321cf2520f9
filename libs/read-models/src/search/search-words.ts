import { longestPhrase } from './word-vectors.js';
import { wordsOf } from './words.js';

/** A word, or words one after another, also as a `tsquery` literal; `negated`: nowhere in the context. */
type WordCondition = Readonly<{
  words: readonly string[];
  phrase: string;
  negated: boolean;
}>;

/** Alternatives, each of conditions that all hold. */
export type WordQuery = readonly (readonly WordCondition[])[];

/** A query in which there is nothing to look for, or more than is looked for at once. */
export class WordQueryError extends Error {
  override readonly name = 'WordQueryError';
}

const term = /-?"[^"]*"?|\S+/g;
const maxConditions = 32;

/**
 * What is asked by web search's rules: words that all occur, `"a phrase"`, `-not`, `or`. Of a term that is several
 * words, as `design-l2`, they follow one another. Throws {@link WordQueryError}.
 */
export function parseWordQuery(text: string): WordQuery {
  const alternatives: WordCondition[][] = [[]];
  for (const [found] of text.matchAll(term)) {
    if (found.toLowerCase() === 'or') alternatives.push([]);
    else alternatives.at(-1)?.push(...conditionOf(found));
  }
  const stated = alternatives.filter((conditions) => conditions.length > 0);
  if (stated.length === 0) throw new WordQueryError('holds no word to look for');
  if (stated.flat().length > maxConditions)
    throw new WordQueryError(`holds more than ${maxConditions} words and phrases`);
  return stated;
}

function conditionOf(found: string): WordCondition[] {
  const words = wordsOf(found);
  if (words.length === 0) return [];
  if (words.length > longestPhrase)
    throw new WordQueryError(`holds a phrase of more than ${longestPhrase} words`);
  const phrase = words.map((word) => `'${word}'`).join(' <-> ');
  return [{ words, phrase, negated: found.startsWith('-') }];
}
