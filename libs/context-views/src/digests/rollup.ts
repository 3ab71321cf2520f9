import { type BoundedCounts, type Counts } from './counts.js';
import { factLists, factsShownIn } from './fact-lists.js';
import { segmentStart, clip } from './clipped-text.js';
import { type Tally } from './tally.js';

const separator = ', ';

/** Shares of the remaining room for actions, errors and verdicts, before the other facts. */
const actionShare = 0.35;
const errorShare = 0.3;
const verdictShare = 0.25;

/** The roll-up of a tally in at most `room` characters: authors and kinds of the entries, then each fact once. */
export function rollupOf(tally: Tally, room: number): string {
  const { errors, actions, verdicts, ...others } = tally.facts;
  const lines = [clip(headOf(tally), room)];
  const left = () => room - lines.reduce((sum, line) => sum + line.length + 1, 0);
  lines.push(doneLine(actions.named, left() * actionShare));
  lines.push(countedLine('errors', withoutEnds(errors.named), left() * errorShare));
  lines.push(countedLine('verdicts', verdicts.named, left() * verdictShare));
  lines.push(factLists(foundIn(others), left(), factsShownIn(lines.join('\n'))));
  return segmentStart(lines.filter(Boolean).join('\n'), room);
}

function headOf({ entries, byKind, byAgent, byPhase }: Tally): string {
  const parts = [
    ['', byKind],
    [' by ', byAgent],
    [' in ', byPhase],
  ] as const;
  const lists = parts.map(([word, counts]) =>
    counts.named.length > 0 ? `${word}${namesIn(counts)}` : '',
  );
  const what = lists.filter(Boolean).join(';');
  return `${entries} ${entries === 1 ? 'entry' : 'entries'}${what && `: ${what}`}`;
}

function namesIn({ named, others }: BoundedCounts): string {
  const names = maxFirst(named).map(([name, count]) => `${name} ${count}`);
  return [...names, ...(others > 0 ? [`others ${others}`] : [])].join(separator);
}

/** The most frequent first; `(n)` after a fact that occurs in more entries than one. */
function countedLine(kind: string, counts: Counts, room: number): string {
  let line = '';
  for (const [fact, count] of maxFirst(counts)) {
    const text = count > 1 ? `${fact} (${count})` : fact;
    const longer = line === '' ? `${kind}: ${text}` : `${line}${separator}${text}`;
    if (longer.length < room) line = longer;
  }
  return line;
}

/**
 * The most frequent first, with only the verb of an action that takes too much room. No `ran` in addition to `ran: make` if
 * nothing else was run.
 */
function doneLine(counts: Counts, room: number): string {
  const limit = Math.floor(room / 2);
  const isWhole = ([fact]: Counts[number]) => fact.includes(': ');
  const short = counts.filter((each) => !isWhole(each) || each[0].length <= limit);
  const isRepeated = ([verb, count]: Counts[number]) =>
    short.some(([fact, same]) => same === count && fact.startsWith(`${verb}: `));
  return countedLine(
    'done',
    short.filter((each) => !isRepeated(each)),
    room,
  );
}

/** One name for errors with the same last part: `ReadTimeoutError` and `urllib3.exceptions.ReadTimeoutError`. */
function withoutEnds(counts: Counts): Counts {
  const alike = Map.groupBy(counts, ([fact]) => fact.slice(fact.lastIndexOf('.') + 1));
  return Array.from(alike, ([end, [first, ...others]]) =>
    first && others.length === 0
      ? first
      : ([end, Math.max(...[first, ...others].map((each) => each?.[1] ?? 0))] as const),
  );
}

function maxFirst(counts: Counts): Counts {
  return counts.toSorted(([, left], [, right]) => right - left);
}

type TalliedFacts = Omit<Tally['facts'], 'errors' | 'actions' | 'verdicts'>;
export function foundInTally({ facts: { errors, ...others } }: Tally) {
  return { found: { ...foundIn(others), errors: new Map(errors.named) } };
}

function foundIn({ paths, identifiers, urls, numbers }: TalliedFacts) {
  return {
    errors: new Map<string, number>(),
    paths: new Map(paths.named),
    identifiers: new Map(identifiers.named),
    urls: new Map(urls.named),
    numbers: new Map(numbers.named),
    labels: new Map<string, string>(),
  };
}
