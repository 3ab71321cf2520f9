import { z } from 'zod';

import { type BoundedCounts, boundCounts, mergeCounts, storedCounts } from './counts.js';
import { type Facts } from './facts.js';
import { clip, inOneLine } from './clipped-text.js';

/** Kinds of facts that a tally counts, the most important first. */
const talliedKinds = [
  'errors',
  'actions',
  'verdicts',
  'paths',
  'identifiers',
  'urls',
  'numbers',
] as const satisfies readonly (keyof Facts)[];

type TalliedKind = (typeof talliedKinds)[number];

/** The members of a timeline entry that a tally needs. */
export type TallyInput = Readonly<{
  kind: string;
  key: string;
  version: number;
  author: string;
  phase: string | null;
  /** The facts of its value. */
  facts: Facts;
}>;

/** Counts and facts of many entries: plain data of bounded size that is stored for a run of entries and merged. */
export type Tally = Readonly<{
  entries: number;
  /** The lowest and the highest version; both 0 if there are no entries. */
  from: number;
  to: number;
  byKind: BoundedCounts;
  byAgent: BoundedCounts;
  byPhase: BoundedCounts;
  /** The number of entries in which each fact occurs. */
  facts: Readonly<Record<TalliedKind, BoundedCounts>>;
}>;

const storedTally: z.ZodType<Tally> = z.object({
  entries: z.number(),
  from: z.number(),
  to: z.number(),
  byKind: storedCounts,
  byAgent: storedCounts,
  byPhase: storedCounts,
  facts: z.object({
    errors: storedCounts,
    actions: storedCounts,
    verdicts: storedCounts,
    paths: storedCounts,
    identifiers: storedCounts,
    urls: storedCounts,
    numbers: storedCounts,
  }),
});

/** Reads a tally that was stored as JSON. Throws ZodError if the text is not a tally. */
export function parseTally(text: string): Tally {
  return storedTally.parse(JSON.parse(text));
}

const maxNames = 24;
const maxFacts: Readonly<Record<TalliedKind, number>> = {
  errors: 32,
  actions: 48,
  verdicts: 32,
  paths: 96,
  identifiers: 128,
  urls: 24,
  numbers: 48,
};
const longestName = 80;
const longestFact = 160;

/** The entries must be in the order of their versions. */
export function tallyOf(entries: readonly TallyInput[]): Tally {
  const allFacts = entries.map(({ facts }) => facts);
  const names = (nameOf: (entry: TallyInput) => string | null) =>
    boundCounts(
      entries.flatMap((entry) => once(nameOf(entry))),
      maxNames,
    );
  return {
    entries: entries.length,
    ...span(entries.map(({ version }) => ({ from: version, to: version }))),
    byKind: names(({ kind }) => kind),
    byAgent: names(({ author }) => author),
    byPhase: names(({ phase }) => phase),
    facts: eachKind((kind) =>
      boundCounts(
        allFacts.flatMap((facts) => facts[kind].filter(isShort).map((fact) => [fact, 1] as const)),
        maxFacts[kind],
      ),
    ),
  };
}

/** The same result as for all entries at once, as long as no bound was reached; sums stay exact in any case. */
export function mergeTallies(tallies: readonly Tally[]): Tally {
  return {
    entries: tallies.reduce((sum, { entries }) => sum + entries, 0),
    ...span(tallies.filter(({ entries }) => entries > 0)),
    byKind: mergeCounts(
      tallies.map(({ byKind }) => byKind),
      maxNames,
    ),
    byAgent: mergeCounts(
      tallies.map(({ byAgent }) => byAgent),
      maxNames,
    ),
    byPhase: mergeCounts(
      tallies.map(({ byPhase }) => byPhase),
      maxNames,
    ),
    facts: eachKind((kind) =>
      mergeCounts(
        tallies.map(({ facts }) => facts[kind]),
        maxFacts[kind],
      ),
    ),
  };
}

type Span = Readonly<{ from: number; to: number }>;

function span(spans: readonly Span[]): Span {
  const [first, ...rest] = spans;
  if (!first) return { from: 0, to: 0 };
  return rest.reduce(
    (all, { from, to }) => ({ from: Math.min(all.from, from), to: Math.max(all.to, to) }),
    { from: first.from, to: first.to },
  );
}

/** An absent name is not counted. */
function once(name: string | null): readonly (readonly [string, number])[] {
  const shown = clip(inOneLine(name ?? ''), longestName);
  return shown === '' ? [] : [[shown, 1]];
}

function isShort(fact: string): boolean {
  return fact.length <= longestFact;
}

function eachKind<Value>(make: (kind: TalliedKind) => Value): Readonly<Record<TalliedKind, Value>> {
  return {
    errors: make('errors'),
    actions: make('actions'),
    verdicts: make('verdicts'),
    paths: make('paths'),
    identifiers: make('identifiers'),
    urls: make('urls'),
    numbers: make('numbers'),
  };
}
