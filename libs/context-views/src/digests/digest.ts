import { type JsonValue } from '#event-sourcing';

import { factLists, factsShownIn } from './fact-lists.js';
import { Reading } from './read-value.js';
import { begun, clip } from './shown.js';
import { type LineRank, type LineRanks, type RankedLine } from './line-ranks.js';

/** What share of the room lines may take before facts do. */
const leadShare = 0.25;
const shortestLine = 48;
const longestLine = 160;

/** How many lines of a rank come before the facts. */
const leading: Readonly<Record<LineRank, number>> = {
  verdict: 8,
  error: 6,
  field: 6,
  heading: 24,
  item: 0,
  other: 0,
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
  return begun(read.whole(room) ?? withMostFacts(read, room), room);
}

function withMostFacts(read: Reading, room: number): string {
  const [chosen, ends] = [shortened(read, room), read.ends(room)];
  return read.countFacts(begun(ends, room)) > read.countFacts(begun(chosen, room)) ? ends : chosen;
}

function shortened({ found, ranks }: Reading, room: number): string {
  const lead = new Lead(room);
  lead.add(leadingLines(ranks), room * leadShare);
  const lists = factLists(found, room - lead.length - 1, factsShownIn(lead.text));
  lead.add(otherLines(ranks), room - lists.length - 1);
  if (lead.length + lists.length === 0) lead.add(ranks.of('scrap'), room);
  return [lead.text, lists].filter(Boolean).join('\n');
}

function leadingLines(ranks: LineRanks): readonly RankedLine[] {
  const of = (rank: LineRank) => ranks.of(rank).slice(0, leading[rank]);
  return [
    ranks.first,
    ...of('verdict'),
    ...of('error'),
    ranks.last,
    ...of('field'),
    ...of('heading'),
  ].filter((line) => line !== undefined);
}

function otherLines(ranks: LineRanks): readonly RankedLine[] {
  return (['verdict', 'error', 'field', 'item', 'other', 'heading'] as const).flatMap((rank) =>
    ranks.of(rank),
  );
}

/** Lines in the order of the value, each once, none longer than a share of the room. */
class Lead {
  private readonly lines = new Map<number, string>();
  private readonly seen = new Set<string>();
  private readonly longest: number;
  length = 0;

  constructor(room: number) {
    this.longest = Math.min(longestLine, Math.max(shortestLine, Math.floor(room / 6)));
  }

  add(lines: readonly RankedLine[], most: number): void {
    for (const { at, text } of lines) {
      const shown = clip(text, this.longest);
      if (this.lines.has(at) || this.seen.has(shown)) continue;
      if (this.length + shown.length + 1 > most) continue;
      this.lines.set(at, shown);
      this.seen.add(shown);
      this.length += shown.length + 1;
    }
  }

  get text(): string {
    return [...this.lines]
      .sort(([left], [right]) => left - right)
      .map(([, line]) => line)
      .join('\n');
  }
}
