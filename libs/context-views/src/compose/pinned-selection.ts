import {
  type PinnedForm,
  type PinnedItem,
  type PinnedSegments,
  digestRoom,
} from './pinned-items.js';

/** Items of one kind that are not shown by themselves. `isWhole`: all that there are. */
export type Omission = Readonly<{
  kind: string;
  items: readonly PinnedItem[];
  isWhole: boolean;
}>;

/** Forms of items that are not shown in full, and what is not shown by itself. */
export type PinnedSelection = Readonly<{
  shortened: ReadonlyMap<PinnedItem, Exclude<PinnedForm, 'full'>>;
  omissions: readonly Omission[];
}>;

type Selecting = Readonly<{
  segments: PinnedSegments;
  /** Units of the line that says how many items are not shown by themselves. */
  omissionUnits: (omission: Omission) => number;
  /** Units of the line for kinds of which nothing is shown, at most. */
  restUnits: () => number;
  /** Units that only a line with very long names takes. */
  longLine: number;
}>;

type Selected = PinnedSelection & Readonly<{ units: number }>;

const charactersInUnit = 3;
/** Of the room that all have, what one digest takes at most: more of it would tell little more. */
const largestDigest = 1 / 8;
/** A digest of fewer characters says no more than a line. */
const shortestDigest = 160;
/** Of the room for the lines of a kind: few lines that are longer than that, and long, are left out. */
const longShare = 1 / 8;
const maxSkipped = 64;
/** Of what is shown as lines: how much is dropped at once, so that views do not change with every item. */
const omissionStep = 1 / 8;

/**
 * The forms in which pinned items fit into so many units. The largest are shortened first, as few as possible; if not
 * even a line for each fits, every kind has a fair share, of which a kind that needs less leaves the rest to others.
 */
export function selectPinned(
  items: readonly PinnedItem[],
  room: number,
  selecting: Selecting,
): PinnedSelection {
  if (unitsUpTo(items, 'line', room, selecting) <= room)
    return shortenLargest(items, room, selecting);
  const kinds = [...Map.groupBy(items, ({ kind }) => kind).values()]
    .map((each) => ({ items: each, need: unitsUpTo(each, 'full', room, selecting) }))
    .sort((left, right) => left.need - right.need);
  const selected = inShares(kinds, room - selecting.restUnits(), selecting);
  return {
    shortened: new Map(selected.flatMap(({ shortened }) => [...shortened])),
    omissions: selected.flatMap(({ omissions }) => omissions),
  };
}

type Kind = Readonly<{ items: readonly PinnedItem[]; need: number }>;

/** What the first ones leave is the others'; what is left in the end, that of kinds of which no line fits in a share. */
function inShares(kinds: readonly Kind[], room: number, selecting: Selecting): readonly Selected[] {
  let left = Math.max(0, room);
  const select = ({ items, need }: Kind, share: number) => {
    const found = need <= share ? inFull(need) : selectOfKind(items, share, selecting);
    left -= found.units;
    return found;
  };
  const first = kinds.map((kind, at) => select(kind, Math.floor(left / (kinds.length - at))));
  return first.map((found, at) => {
    const kind = kinds[at];
    return kind && found.omissions.some(({ isWhole }) => isWhole) ? select(kind, left) : found;
  });
}

function selectOfKind(items: readonly PinnedItem[], room: number, selecting: Selecting): Selected {
  return unitsUpTo(items, 'line', room, selecting) <= room
    ? shortenLargest(items, room, selecting)
    : newestLines(items, room, selecting);
}

function inFull(units: number): Selected {
  return { shortened: new Map(), omissions: [], units };
}

/** The largest, as few as possible; a line for each must fit. */
function shortenLargest(
  items: readonly PinnedItem[],
  room: number,
  selecting: Selecting,
): Selected {
  const sorted = items.toSorted(
    (left, right) => sizeClass(right) - sizeClass(left) || left.version - right.version,
  );
  let [low, high] = [0, sorted.length];
  let found = shortenFirst(sorted, high, { room, selecting }) ?? allLines(items, room, selecting);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const tried = shortenFirst(sorted, middle, { room, selecting });
    if (tried) [high, found] = [middle, tried];
    else low = middle + 1;
  }
  return found;
}

/** Of items that are about as large, within a fifth, the older ones are shortened first. */
function sizeClass({ size }: PinnedItem): number {
  return Math.floor(Math.log2(Math.max(size, 1)) * 4);
}

function allLines(items: readonly PinnedItem[], room: number, selecting: Selecting): Selected {
  return {
    shortened: new Map(items.map((item) => [item, 'line'])),
    omissions: [],
    units: unitsUpTo(items, 'line', room, selecting),
  };
}

type Shortening = Readonly<{ room: number; selecting: Selecting }>;

/** The first ones as digests of equal room, or as lines; undefined if that does not fit. */
function shortenFirst(
  sorted: readonly PinnedItem[],
  count: number,
  { room, selecting }: Shortening,
): Selected | undefined {
  const rest = unitsUpTo(sorted.slice(count).reverse(), 'full', room, selecting);
  const left = room - rest;
  if (left < 0) return undefined;
  const first = sorted.slice(0, count);
  const form = widestForm(first, left, selecting);
  if (!form) return undefined;
  const units = rest + unitsUpTo(first, form, left, selecting);
  return { shortened: new Map(first.map((item) => [item, form])), omissions: [], units };
}

/** Rooms of digests are powers of two, so that they stay the same while little changes. */
function widestForm(
  items: readonly PinnedItem[],
  room: number,
  selecting: Selecting,
): Exclude<PinnedForm, 'full'> | undefined {
  const share = room * Math.min(largestDigest, 1 / Math.max(items.length, 1));
  const characters = 2 ** Math.floor(Math.log2(Math.max(share * charactersInUnit, 1)));
  for (let each = characters; each >= shortestDigest; each /= 2) {
    const form = digestRoom(each);
    if (unitsUpTo(items, form, room, selecting) <= room) return form;
  }
  return unitsUpTo(items, 'line', room, selecting) <= room ? 'line' : undefined;
}

/** Items of one kind: the newest as lines, and one line for all others. */
function newestLines(items: readonly PinnedItem[], room: number, selecting: Selecting): Selected {
  const { omissionUnits } = selecting;
  const kind = items[0]?.kind ?? '';
  const left = room - omissionUnits({ kind, items, isWhole: false });
  const lines = new Set(newestWithin(items, left, selecting));
  const isWhole = lines.size === 0;
  const omission = { kind, items: items.filter((item) => !lines.has(item)), isWhole };
  const units = unitsUpTo([...lines], 'line', room, selecting);
  return {
    shortened: new Map([...lines].map((item) => [item, 'line'])),
    omissions: [omission],
    units: isWhole ? 0 : units + omissionUnits(omission),
  };
}

/** As many as fit as lines; a few of very long names do not keep out all others. */
function newestWithin(
  items: readonly PinnedItem[],
  room: number,
  { segments, longLine }: Selecting,
): readonly PinnedItem[] {
  const taken: PinnedItem[] = [];
  let left = room;
  let skipped = 0;
  for (const item of items.toSorted((one, other) => other.version - one.version)) {
    const units = segments.units(item, 'line');
    const isLong = units > Math.max(longLine, room * longShare) && skipped < maxSkipped;
    if (isLong) skipped++;
    else if (units > left) break;
    else {
      left -= units;
      taken.push(item);
    }
  }
  return taken.slice(0, withRoomToGrow(taken.length, items.length));
}

/** What is left out is a multiple of a step: until it is full, a new item changes nothing before it. */
function withRoomToGrow(count: number, all: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, count * omissionStep))));
  return Math.max(0, all - Math.ceil((all - count) / step) * step);
}

/** Counts no further once it is more than `most`. */
function unitsUpTo(
  items: readonly PinnedItem[],
  form: PinnedForm,
  most: number,
  { segments }: Selecting,
): number {
  let units = 0;
  for (const item of items) {
    units += segments.units(item, form);
    if (units > most) break;
  }
  return units;
}
