import { longestPhrase } from './word-vectors.js';
import { wordsOf } from './words.js';

/** A word or a phrase, also as a `tsquery` literal; if `negated`, it must not occur in the context. */
type WordCondition = Readonly<{
  words: readonly string[];
  phrase: string;
  negated: boolean;
}>;

/** Alternatives; each is a list of conditions that must all hold. */
export type WordQuery = readonly (readonly WordCondition[])[];

/** The query has no word, or too many words or phrases. */
export class WordQueryError extends Error {
  override readonly name = 'WordQueryError';
}

const term = /-?"[^"]*"?|\S+/g;
const maxConditions = 32;

/**
 * Parses a query in the syntax of web searches: words that must all occur, `"a phrase"`, `-not`, `or`. A term of
 * several words, such as `design-l2`, is a phrase. Throws {@link WordQueryError}.
 */
export function parseWordQuery(text: string): WordQuery {
  const alternatives: WordCondition[][] = [[]];
  for (const [part] of text.matchAll(term)) {
    if (part.toLowerCase() === 'or') alternatives.push([]);
    else alternatives.at(-1)?.push(...conditionOf(part));
  }
  const nonEmpty = alternatives.filter((conditions) => conditions.length > 0);
  if (nonEmpty.length === 0) throw new WordQueryError('contains no word to search for');
  if (nonEmpty.flat().length > maxConditions)
    throw new WordQueryError(`contains more than ${maxConditions} words and phrases`);
  return nonEmpty;
}

function conditionOf(part: string): WordCondition[] {
  const words = wordsOf(part);
  if (words.length === 0) return [];
  if (words.length > longestPhrase)
    throw new WordQueryError(`contains a phrase of more than ${longestPhrase} words`);
  const phrase = words.map((word) => `'${word}'`).join(' <-> ');
  return [{ words, phrase, negated: part.startsWith('-') }];
}
