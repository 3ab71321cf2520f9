import { type Item } from '#shared-context';

import { containsJson } from './contains-json.js';
import { searchFragment } from './search-fragment.js';
import { type Search } from './search-conditions.js';
import { searchTexts } from './search-texts.js';
import { wordsOf } from './words.js';

/**
 * Whether a context with these items matches a search: the same result as from the search rows, without reading them.
 */
export function matchesSearch({ words, parts = [] }: Search, items: Iterable<Item>): boolean {
  const fragments = Array.from(items, searchFragment).filter((fragment) => fragment !== undefined);
  const isContained = parts.every((part) =>
    fragments.some((fragment) => containsJson(fragment, part)),
  );
  if (!isContained || !words) return isContained;
  const texts = fragments.flatMap((fragment) => Array.from(searchTexts(fragment), wordsOf));
  return words.some((conditions) =>
    conditions.every(({ words: phrase, negated }) => {
      const isFound = texts.some((text) => holdsPhrase(text, phrase));
      return isFound !== negated;
    }),
  );
}

function holdsPhrase(text: readonly string[], phrase: readonly string[]): boolean {
  return text.some((_, at) => phrase.every((word, n) => text[at + n] === word));
}
