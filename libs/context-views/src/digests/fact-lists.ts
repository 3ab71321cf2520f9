import { type FoundFacts, addFacts, noFacts } from './found-facts.js';
import { type WordKind, wordKinds } from './word-kinds.js';

/** The value of a fact of each kind, regardless of its length. */
const worth: Readonly<Record<WordKind, number>> = {
  errors: 40,
  paths: 5,
  identifiers: 2,
  urls: 1,
  numbers: 1,
};

const separator = ', ';
const bareNumber = /^[+-]?[\d.,]+$/;
const groupSeparator = '; ';
const labelEnd = ': ';
/** The maximum share of the room that labels take from facts. */
const labelShare = 0.15;
/** A fact that is not shown yet. `score`: its value in relation to its length. */
export type Candidate = Readonly<{
  kind: WordKind;
  fact: string;
  at: number;
  score: number;
  label: string;
}>;

/** One line for each kind, within the room: the facts with the highest scores, in order of appearance. */
export function factLists(found: FoundFacts, room: number, shown: ReadonlySet<string>): string {
  return listFacts(candidatesIn(found, shown), room);
}

/** As {@link factLists}, from candidates that are sorted by their scores. */
export function listFacts(candidates: readonly Candidate[], room: number): string {
  const chosen = labelled(candidates, room);
  const lines = wordKinds.map((kind) => {
    const facts = chosen.filter((each) => each.kind === kind).sort((a, b) => a.at - b.at);
    return facts.length > 0 ? `${kind}: ${listOf(facts)}` : '';
  });
  return lines.filter(Boolean).join('\n');
}

/** Facts without a label, then facts grouped by label. */
function listOf(facts: readonly Candidate[]): string {
  const groups = Map.groupBy(facts, ({ label }) => label);
  const lists = Array.from(groups, ([label, members]) => ({
    label,
    text: members.map(({ fact }) => fact).join(separator),
  }));
  return [
    ...lists.filter(({ label }) => label === '').map(({ text }) => text),
    ...lists
      .filter(({ label }) => label !== '')
      .map(({ label, text }) => `${label}${labelEnd}${text}`),
  ].join(groupSeparator);
}

/** The same facts without their kinds, for a single line. Labels are added only if they displace no fact. */
export function factWords(
  found: FoundFacts,
  room: number,
  shown: ReadonlySet<string>,
): readonly string[] {
  const { facts, left } = choose(candidatesIn(found, shown), room, false);
  let rest = left;
  return facts.map(({ fact, label }) => {
    const cost = costOf(label);
    if (label === '' || cost > rest) return fact;
    rest -= cost;
    return `${label}${labelEnd}${fact}`;
  });
}

/** The facts that a text contains, so that they need not be listed again. */
export function factsShownIn(text: string): ReadonlySet<string> {
  const found = noFacts();
  // A number at the end of a line has no unit in the next line.
  for (const line of text.split('\n')) addFacts(line, found);
  return withParts(wordKinds.flatMap((kind) => [...found[kind].keys()]));
}

/** Facts with their parts, such as a path and its file name, or an object and its member. */
function withParts(facts: Iterable<string>): ReadonlySet<string> {
  const all = new Set<string>();
  for (const fact of facts) {
    all.add(fact);
    for (const separation of fact.matchAll(/[/.:#]+/g))
      all.add(fact.slice(separation.index + separation[0].length));
  }
  return all;
}

/** Sorted by score, the highest first. */
export function candidatesIn(found: FoundFacts, shown: ReadonlySet<string>): readonly Candidate[] {
  const parts = withParts([...found.paths.keys(), ...found.urls.keys()].filter(hasParts));
  const candidates = wordKinds.flatMap((kind) =>
    [...found[kind]]
      .map(([fact, count], at) => {
        const label = found.labels.get(fact) ?? '';
        return { kind, fact, at, label, score: scoreOf({ kind, fact, label }, count) };
      })
      .filter(({ fact }) => !shown.has(fact) && !(parts.has(fact) && !hasParts(fact))),
  );
  return candidates.sort((a, b) => b.score - a.score || a.at - b.at);
}

/** Whether a fact contains others as its parts. */
function hasParts(fact: string): boolean {
  return fact.includes('/');
}

/** The value of a fact in relation to its length; a bare number is listed with its label, or is worth little. */
function scoreOf(
  { kind, fact, label }: Pick<Candidate, 'kind' | 'fact' | 'label'>,
  count: number,
): number {
  const isBare = kind === 'numbers' && bareNumber.test(fact);
  const value = isBare && label === '' ? worth[kind] / 2 : worth[kind];
  const room = fact.length + separator.length + (isBare ? costOf(label) : 0);
  return (value * (1 + Math.log2(count))) / room;
}

type Choice = Readonly<{ facts: readonly Candidate[]; left: number }>;

/** The candidates with the highest scores that fit, and the room that they leave. */
function choose(candidates: readonly Candidate[], room: number, isListed: boolean): Choice {
  const listed = new Set<WordKind>();
  let left = room;
  const facts = candidates.filter(({ kind, fact }) => {
    const cost =
      fact.length + separator.length + (!isListed || listed.has(kind) ? 0 : kind.length + 1);
    if (cost > left) return false;
    listed.add(kind);
    left -= cost;
    return true;
  });
  return { facts, left };
}

/** The best candidates with their labels, which take the room that facts leave, or a share of the room. */
function labelled(candidates: readonly Candidate[], room: number): readonly Candidate[] {
  const all = choose(candidates, room, true);
  const labelLength = groupsOf(all.facts).reduce(
    (sum, [first]) => sum + costOf(first?.label ?? ''),
    0,
  );
  const reserved = Math.min(labelLength, Math.floor(room * labelShare));
  if (reserved <= all.left) return withLabels(all);
  const { facts, left } = choose(candidates, room - reserved, true);
  return withLabels({ facts, left: left + reserved });
}

/** Adds the labels of most facts first, as far as there is room. */
function withLabels({ facts, left }: Choice): readonly Candidate[] {
  let rest = left;
  return groupsOf(facts)
    .toSorted((one, other) => other.length - one.length)
    .flatMap((group) => {
      const cost = costOf(group[0]?.label ?? '');
      if (cost > rest) return group.map((each) => ({ ...each, label: '' }));
      rest -= cost;
      return group;
    });
}

function groupsOf(facts: readonly Candidate[]): readonly Candidate[][] {
  return [...Map.groupBy(facts, ({ kind, label }) => `${kind} ${label}`).values()];
}

function costOf(label: string): number {
  return label === '' ? 0 : label.length + labelEnd.length;
}
