import { type FoundFacts, addFacts, noFacts } from './found-facts.js';
import { type WordKind, wordKinds } from './word-kinds.js';

/** How much a fact of a kind is worth, whatever room it takes. */
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
/** What share of the room labels may take from facts. */
const labelShare = 0.15;
/** A fact that is not shown yet, and what it is worth for the room it takes. */
export type Candidate = Readonly<{
  kind: WordKind;
  fact: string;
  at: number;
  score: number;
  label: string;
}>;

/** One line for each kind, within the room: what is worth most for the room it takes, in order of appearance. */
export function factLists(found: FoundFacts, room: number, told: ReadonlySet<string>): string {
  return listFacts(candidatesIn(found, told), room);
}

/** As {@link factLists}, of candidates that stand in the order of their scores. */
export function listFacts(candidates: readonly Candidate[], room: number): string {
  const chosen = labelled(candidates, room);
  const lines = wordKinds.map((kind) => {
    const facts = chosen.filter((each) => each.kind === kind).sort((a, b) => a.at - b.at);
    return facts.length > 0 ? `${kind}: ${listOf(facts)}` : '';
  });
  return lines.filter(Boolean).join('\n');
}

/** What has no label, then what has the same label together. */
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

/** The same without naming kinds, for where there is but one line; labels only if they leave out no fact. */
export function factWords(
  found: FoundFacts,
  room: number,
  told: ReadonlySet<string>,
): readonly string[] {
  const { facts, left } = choose(candidatesIn(found, told), room, false);
  let rest = left;
  return facts.map(({ fact, label }) => {
    const cost = costOf(label);
    if (label === '' || cost > rest) return fact;
    rest -= cost;
    return `${label}${labelEnd}${fact}`;
  });
}

/** The facts that a text contains, which need not be listed again. */
export function factsShownIn(text: string): ReadonlySet<string> {
  const found = noFacts();
  // A number at the end of a line has no unit in the next one.
  for (const line of text.split('\n')) addFacts(line, found);
  return withParts(wordKinds.flatMap((kind) => [...found[kind].keys()]));
}

/** Facts with their parts: a path and its file name, an object and its member. */
function withParts(facts: Iterable<string>): ReadonlySet<string> {
  const told = new Set<string>();
  for (const fact of facts) {
    told.add(fact);
    for (const separation of fact.matchAll(/[/.:#]+/g))
      told.add(fact.slice(separation.index + separation[0].length));
  }
  return told;
}

/** The best first. */
export function candidatesIn(found: FoundFacts, told: ReadonlySet<string>): readonly Candidate[] {
  const parts = withParts([...found.paths.keys(), ...found.urls.keys()].filter(isLong));
  const candidates = wordKinds.flatMap((kind) =>
    [...found[kind]]
      .map(([fact, count], at) => {
        const label = found.labels.get(fact) ?? '';
        return { kind, fact, at, label, score: scoreOf({ kind, fact, label }, count) };
      })
      .filter(({ fact }) => !told.has(fact) && !(parts.has(fact) && !isLong(fact))),
  );
  return candidates.sort((a, b) => b.score - a.score || a.at - b.at);
}

/** Holds others as its parts. */
function isLong(fact: string): boolean {
  return fact.includes('/');
}

/** What a fact is worth for the room that it takes; a bare number takes its label with it, or says little. */
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

/** Those worth most, with what they leave of the room. */
function choose(candidates: readonly Candidate[], room: number, isListed: boolean): Choice {
  const begun = new Set<WordKind>();
  let left = room;
  const facts = candidates.filter(({ kind, fact }) => {
    const cost =
      fact.length + separator.length + (!isListed || begun.has(kind) ? 0 : kind.length + 1);
    if (cost > left) return false;
    begun.add(kind);
    left -= cost;
    return true;
  });
  return { facts, left };
}

/** Those worth most with their labels, which take what facts leave, or a share of the room. */
function labelled(candidates: readonly Candidate[], room: number): readonly Candidate[] {
  const all = choose(candidates, room, true);
  const wanted = groupsOf(all.facts).reduce((sum, [first]) => sum + costOf(first?.label ?? ''), 0);
  const reserved = Math.min(wanted, Math.floor(room * labelShare));
  if (reserved <= all.left) return withLabels(all);
  const { facts, left } = choose(candidates, room - reserved, true);
  return withLabels({ facts, left: left + reserved });
}

/** Labels of most facts first, as far as there is room. */
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
