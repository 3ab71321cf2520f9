import { type BoundedCounts, type Counts } from './counts.js';
import { factLists, factsShownIn } from './fact-lists.js';
import { begun, clip } from './clipped-text.js';
import { type Tally } from './tally.js';

const separator = ', ';

/** How much of the room that is left each may take, before the facts that are looked up. */
const actionShare = 0.35;
const errorShare = 0.3;
const verdictShare = 0.25;

/** What many entries tell together, in at most `room` characters: who did how much of what, then each fact once. */
export function rollupOf(tally: Tally, room: number): string {
  const { errors, actions, verdicts, ...others } = tally.facts;
  const lines = [clip(headOf(tally), room)];
  const left = () => room - lines.reduce((sum, line) => sum + line.length + 1, 0);
  lines.push(doneLine(actions.named, left() * actionShare));
  lines.push(countedLine('errors', withoutEnds(errors.named), left() * errorShare));
  lines.push(countedLine('verdicts', verdicts.named, left() * verdictShare));
  lines.push(factLists(foundIn(others), left(), factsShownIn(lines.join('\n'))));
  return begun(lines.filter(Boolean).join('\n'), room);
}

function headOf({ entries, byKind, byAgent, byPhase }: Tally): string {
  const parts = [
    ['', byKind],
    [' by ', byAgent],
    [' in ', byPhase],
  ] as const;
  const told = parts.map(([word, counts]) =>
    counts.named.length > 0 ? `${word}${namesIn(counts)}` : '',
  );
  const what = told.filter(Boolean).join(';');
  return `${entries} ${entries === 1 ? 'entry' : 'entries'}${what && `: ${what}`}`;
}

function namesIn({ named, others }: BoundedCounts): string {
  const told = maxFirst(named).map(([name, count]) => `${name} ${count}`);
  return [...told, ...(others > 0 ? [`others ${others}`] : [])].join(separator);
}

/** The most frequent first; `(n)` behind what stands in more entries than one. */
function countedLine(kind: string, counts: Counts, room: number): string {
  let line = '';
  for (const [fact, count] of maxFirst(counts)) {
    const told = count > 1 ? `${fact} (${count})` : fact;
    const longer = line === '' ? `${kind}: ${told}` : `${line}${separator}${told}`;
    if (longer.length < room) line = longer;
  }
  return line;
}

/** The most frequent first, with `ran` for what takes too much room; it says nothing beside `ran: make`, if nothing else was run. */
function doneLine(counts: Counts, room: number): string {
  const most = Math.floor(room / 2);
  const isWhole = ([fact]: Counts[number]) => fact.includes(': ');
  const short = counts.filter((each) => !isWhole(each) || each[0].length <= most);
  const isSaid = ([verb, count]: Counts[number]) =>
    short.some(([fact, same]) => same === count && fact.startsWith(`${verb}: `));
  return countedLine(
    'done',
    short.filter((each) => !isSaid(each)),
    room,
  );
}

/** One name for errors that end alike: `ReadTimeoutError` and `urllib3.exceptions.ReadTimeoutError`. */
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
