import { type JsonValue } from '#event-sourcing';

import { Reading } from './read-value.js';
import { type LineRanks, type RankedLine } from './line-ranks.js';
import { clip, clipAction } from './clipped-text.js';
import { type WordKind } from './word-kinds.js';

type FactKind = WordKind | 'actions' | 'verdicts' | 'headings';

/** Facts of a value that can be looked up or counted: distinct, in order of appearance, bounded. */
export type Facts = Readonly<Record<FactKind, readonly string[]>>;

const maxOfAKind = 512;
const longestHeading = 80;
const longestVerdict = 120;
const longestAction = 80;
/** A call is identified by the name of its tool. */
const callLine = /^called: (\S+)/;
const verbOf = /^([a-z]+): /;
const resultLabel = 'result of: ';
/** A success is not listed as a verdict: most programs end well. */
const success = /(?:code|status)\b\W{0,3}(?:0|2\d\d)\b|^finished$/i;

export function factsOf(value: JsonValue): Facts {
  return factsIn(Reading.of(value));
}

export function factsIn({ found, ranks }: Reading): Facts {
  const names = (kind: WordKind) => [...found[kind].keys()].slice(0, maxOfAKind);
  return {
    errors: names('errors'),
    actions: actionsIn(ranks),
    verdicts: textsOf(
      [...ranks.of('outcome').filter(isFailure), ...ranks.of('verdict')],
      longestVerdict,
    ),
    paths: names('paths'),
    identifiers: names('identifiers'),
    urls: names('urls'),
    numbers: names('numbers'),
    headings: textsOf(ranks.of('heading'), longestHeading),
  };
}

function textsOf(lines: readonly RankedLine[], room: number): readonly string[] {
  const inOrder = lines.toSorted((left, right) => left.at - right.at);
  return [...new Set(inOrder.map(({ text }) => clip(text, room)))];
}

function isFailure({ text }: RankedLine): boolean {
  return !success.test(text);
}

/** Actions, by verb and as a whole. The result of an action repeats the action, so it is left out. */
function actionsIn(ranks: LineRanks): readonly string[] {
  const done = ranks.of('action').filter(({ text }) => !text.startsWith(resultLabel));
  return [...new Set(done.flatMap(namesOf))];
}

function namesOf({ text }: RankedLine): readonly string[] {
  const name = callLine.exec(text)?.[1];
  if (name !== undefined) return [name];
  const [, verb] = verbOf.exec(text) ?? [];
  return [...(verb === undefined ? [] : [verb]), clipAction(text, longestAction)];
}
