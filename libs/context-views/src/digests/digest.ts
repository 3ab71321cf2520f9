import { type JsonValue } from '#event-sourcing';

import { factLists, factsShownIn } from './fact-lists.js';
import { Reading } from './read-value.js';
import { begun, beginsWhole, clip, clipAction } from './clipped-text.js';
import { type LineRank, type LineRanks, type RankedLine } from './line-ranks.js';

/** What share of the room lines take at most before facts do; headings are added only if the lines take less than their share. */
const leadShare = 0.4;
const headingShare = 0.25;
const shortestLine = 48;
const longestLine = 160;
/** Of the room, what a line of a step, a verdict or an open point may take. */
const longestTelling = 1 / 4;
const longestOther = 1 / 6;

/** What share of it the lines may take that say what was done, what for and what came of it. */
const stepShare = 0.35;

/** Ranks of lines that are clipped less than others. */
const tellingRanks: ReadonlySet<LineRank> = new Set([
  'action',
  'outcome',
  'purpose',
  'verdict',
  'open',
]);

/** How many lines of a rank come before the facts. */
const leading: Readonly<Record<LineRank, number>> = {
  action: 4,
  outcome: 4,
  purpose: 2,
  verdict: 8,
  open: 6,
  error: 6,
  field: 6,
  heading: 24,
  item: 0,
  other: 0,
  wrapper: 0,
  scrap: 0,
};

/**
 * A value in at most `room` characters: the whole text if it fits; else its telling lines, then the facts of the
 * rest, one line for each kind, then more lines while there is room; or the beginning and the end of the text, if these have more of its
 * facts. Deterministic, and linear in the value's size.
 */
export function digestOf(value: JsonValue, room: number): string {
  return digestIn(Reading.of(value), room);
}

export function digestIn(read: Reading, room: number): string {
  const whole = read.whole(room);
  return (
    (whole === undefined ? undefined : beginsWhole(whole, room)) ??
    begun(withMostFacts(read, room), room)
  );
}

function withMostFacts(read: Reading, room: number): string {
  const [chosen, ends] = [shortened(read, room), read.ends(room)];
  return read.countFacts(begun(ends, room)) > read.countFacts(begun(chosen, room)) ? ends : chosen;
}

function shortened({ found, ranks }: Reading, room: number): string {
  const lead = new Lead(room);
  lead.add(stepLines(ranks).filter(isNew()), room * stepShare);
  lead.add(leadingLines(ranks), Math.max(lead.length, room * leadShare));
  lead.add(
    ranks.of('heading').slice(0, leading.heading),
    Math.max(lead.length, room * headingShare),
  );
  const lists = factLists(found, room - lead.length - 1, factsShownIn(lead.text));
  lead.add(otherLines(ranks), room - lists.length - 1);
  if (lead.length + lists.length === 0)
    lead.add([...ranks.of('scrap'), ...ranks.of('wrapper')], room);
  return [lead.text, lists].filter(Boolean).join('\n');
}

function stepLines(ranks: LineRanks): readonly RankedLine[] {
  const of = (rank: LineRank) => ranks.of(rank).slice(0, leading[rank]);
  return [
    ...of('action'),
    ...of('outcome'),
    ...of('purpose'),
    ...(ranks.title ? [ranks.title] : []),
  ];
}

/** Whether a line says anything that none before it said, whatever they are called. */
function isNew(): (line: RankedLine) => boolean {
  const said: string[] = [];
  return ({ bare }) => {
    const isSaid = said.some((each) => each.includes(bare));
    said.push(bare);
    return !isSaid;
  };
}

function leadingLines(ranks: LineRanks): readonly RankedLine[] {
  const of = (rank: LineRank) => ranks.of(rank).slice(0, leading[rank]);
  return [
    ranks.first,
    ...of('verdict'),
    ...of('open'),
    ...of('error'),
    ...(isMember(ranks.last) ? [] : [ranks.last]),
    ...of('field'),
  ].filter((line) => line !== undefined);
}

/** The last member of a value says no more than the others. */
function isMember(line: RankedLine | undefined): boolean {
  return line !== undefined && line.text !== line.bare;
}

function otherLines(ranks: LineRanks): readonly RankedLine[] {
  return (
    [
      ...(['action', 'outcome', 'purpose', 'verdict', 'open', 'error', 'field'] as const),
      ...(['item', 'other', 'heading'] as const),
    ] as const
  ).flatMap((rank) => ranks.of(rank));
}

/** Lines in the order of the value, each once, none longer than a share of the room. */
class Lead {
  private readonly lines = new Map<number, string>();
  private readonly seen = new Set<string>();
  length = 0;

  constructor(private readonly room: number) {}

  add(lines: readonly RankedLine[], most: number): void {
    for (const { at, rank, text } of lines) {
      const longest = this.#longest(rank);
      const shown = rank === 'action' ? clipAction(text, longest) : clip(text, longest);
      if (this.lines.has(at) || this.seen.has(shown)) continue;
      if (this.length + shown.length + 1 > most) continue;
      this.lines.set(at, shown);
      this.seen.add(shown);
      this.length += shown.length + 1;
    }
  }

  #longest(rank: LineRank): number {
    const share = tellingRanks.has(rank) ? longestTelling : longestOther;
    return Math.min(longestLine, Math.max(shortestLine, Math.floor(this.room * share)));
  }

  get text(): string {
    return [...this.lines]
      .sort(([left], [right]) => left - right)
      .map(([, line]) => line)
      .join('\n');
  }
}
