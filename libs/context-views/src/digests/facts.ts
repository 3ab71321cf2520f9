import { type JsonValue } from '#event-sourcing';

import { Reading } from './read-value.js';
import { clip } from './shown.js';
import { type WordKind } from './word-kinds.js';

export type FactKind = WordKind | 'verdicts' | 'headings';

/** What a value tells that can be looked up or counted: distinct, in order of appearance, bounded. */
export type Facts = Readonly<Record<FactKind, readonly string[]>>;

const mostOfAKind = 512;
const longestHeading = 80;
const longestVerdict = 120;

export function factsOf(value: JsonValue): Facts {
  return factsIn(Reading.of(value));
}

export function factsIn({ found, ranks }: Reading): Facts {
  const texts = (rank: 'verdict' | 'heading', room: number) => [
    ...new Set(ranks.of(rank).map(({ text }) => clip(text, room))),
  ];
  const names = (kind: WordKind) => [...found[kind].keys()].slice(0, mostOfAKind);
  return {
    errors: names('errors'),
    verdicts: texts('verdict', longestVerdict),
    paths: names('paths'),
    identifiers: names('identifiers'),
    urls: names('urls'),
    numbers: names('numbers'),
    headings: texts('heading', longestHeading),
  };
}
