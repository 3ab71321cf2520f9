import { type BoundedCounts } from './counts.js';
import { begun, clip } from './shown.js';
import { type Tally, type TalliedKind, talliedKinds } from './tally.js';

const separator = ', ';

/** Of the room that is left when a kind's turn comes, how much it may take; what it leaves goes to those after it. */
const shares: Readonly<Record<TalliedKind, number>> = {
  errors: 0.5,
  verdicts: 0.35,
  paths: 0.5,
  identifiers: 0.7,
  urls: 0.5,
  numbers: 1,
};

/** What many entries tell together, in at most `room` characters: who did how much of what, then each fact once. */
export function rollupOf(tally: Tally, room: number): string {
  const lines = [clip(headOf(tally), room)];
  let left = room - (lines[0]?.length ?? 0);
  for (const kind of talliedKinds) {
    const line = factLine(kind, tally.facts[kind], Math.floor(left * shares[kind]) - 1);
    if (line === '') continue;
    lines.push(line);
    left -= line.length + 1;
  }
  return begun(lines.join('\n'), room);
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
  const most = named.toSorted(([, left], [, right]) => right - left);
  const told = most.map(([name, count]) => `${name} ${count}`);
  return [...told, ...(others > 0 ? [`others ${others}`] : [])].join(separator);
}

/** The most frequent first; `(n)` behind what stands in more entries than one. */
function factLine(kind: TalliedKind, { named }: BoundedCounts, room: number): string {
  let line = '';
  for (const [fact, count] of named.toSorted(([, left], [, right]) => right - left)) {
    const told = count > 1 ? `${fact} (${count})` : fact;
    const longer = line === '' ? `${kind}: ${told}` : `${line}${separator}${told}`;
    if (longer.length <= room) line = longer;
  }
  return line;
}
