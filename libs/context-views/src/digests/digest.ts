import { type JsonValue } from '#event-sourcing';

import { factLists, factsShownIn } from './fact-lists.js';
import { Reading } from './read-value.js';
import { segmentStart, wholeSegmentStart, clip, clipAction } from './clipped-text.js';
import { type LineRank, type LineRanks, type RankedLine } from './line-ranks.js';

/** The share of the room for lines before facts. Headings are added only while lines take less than `headingShare`. */
const leadShare = 0.4;
const headingShare = 0.25;
const shortestLine = 48;
const longestLine = 160;
/** The maximum share of the room for one line of an action, an outcome, a purpose, a verdict or an open point. */
const importantShare = 1 / 4;
const otherShare = 1 / 6;

/** The share of the room for lines that state actions, their purpose and their outcome. */
const stepShare = 0.35;

/** Ranks of lines that are clipped less than others. */
const importantRanks: ReadonlySet<LineRank> = new Set([
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
 * A value in at most `room` characters: the whole text if it fits; else its most important lines, then the facts of the
 * rest, one line for each kind, then more lines while there is room; or the beginning and the end of the text if these
 * contain more of its facts. Deterministic, and linear in the size of the value.
 */
export function digestOf(value: JsonValue, room: number): string {
  return digestIn(Reading.of(value), room);
}

export function digestIn(read: Reading, room: number): string {
  const whole = read.whole(room);
  return (
    (whole === undefined ? undefined : wholeSegmentStart(whole, room)) ??
    segmentStart(withMostFacts(read, room), room)
  );
}

function withMostFacts(read: Reading, room: number): string {
  const [chosen, ends] = [shortened(read, room), read.ends(room)];
  return read.countFacts(segmentStart(ends, room)) > read.countFacts(segmentStart(chosen, room))
    ? ends
    : chosen;
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

/** Whether a line adds anything to the lines before it, regardless of labels. */
function isNew(): (line: RankedLine) => boolean {
  const previous: string[] = [];
  return ({ bare }) => {
    const isRepeated = previous.some((each) => each.includes(bare));
    previous.push(bare);
    return !isRepeated;
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

/** The last member of a value is no more important than the others. */
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

/** Lines in the order of the value, each once, none longer than its share of the room. */
class Lead {
  private readonly lines = new Map<number, string>();
  private readonly added = new Set<string>();
  length = 0;

  constructor(private readonly room: number) {}

  add(lines: readonly RankedLine[], limit: number): void {
    for (const { at, rank, text } of lines) {
      const longest = this.#longest(rank);
      const shown = rank === 'action' ? clipAction(text, longest) : clip(text, longest);
      if (this.lines.has(at) || this.added.has(shown)) continue;
      if (this.length + shown.length + 1 > limit) continue;
      this.lines.set(at, shown);
      this.added.add(shown);
      this.length += shown.length + 1;
    }
  }

  #longest(rank: LineRank): number {
    const share = importantRanks.has(rank) ? importantShare : otherShare;
    return Math.min(longestLine, Math.max(shortestLine, Math.floor(this.room * share)));
  }

  get text(): string {
    return [...this.lines]
      .sort(([left], [right]) => left - right)
      .map(([, line]) => line)
      .join('\n');
  }
}
