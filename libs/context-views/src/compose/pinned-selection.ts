import {
  type PinnedForm,
  type PinnedItem,
  type PinnedSegments,
  digestRoom,
} from './pinned-items.js';

/** Items of one kind that are not shown individually. `isWhole`: whether these are all items of the kind. */
export type Omission = Readonly<{
  kind: string;
  items: readonly PinnedItem[];
  isWhole: boolean;
}>;

/** Forms of the items that are not shown in full, and the items that are not shown individually. */
export type PinnedSelection = Readonly<{
  shortened: ReadonlyMap<PinnedItem, Exclude<PinnedForm, 'full'>>;
  omissions: readonly Omission[];
}>;

type SelectionContext = Readonly<{
  segments: PinnedSegments;
  /** Units of the line that counts the items that are not shown individually. */
  omissionUnits: (omission: Omission) => number;
  /** The maximum units of the line for kinds without a shown item. */
  restUnits: () => number;
  /** Units that only a line with very long names exceeds. */
  longLine: number;
}>;

type SizedSelection = PinnedSelection & Readonly<{ units: number }>;

const charactersInUnit = 3;
/** The maximum share of the whole room for one digest: a longer one would add little. */
const largestDigest = 1 / 8;
/** A digest of fewer characters shows no more than a line. */
const shortestDigest = 160;
/** The share of the room of a kind above which a line is long. A few long lines are omitted. */
const longShare = 1 / 8;
const maxSkipped = 64;
/** The share of the lines that is omitted in one step, so that views do not change with every item. */
const omissionStep = 1 / 8;

/**
 * Selects the forms in which pinned items fit into `room` units. Shortens the largest items first, and as few as
 * possible. If not even a line for each item fits, every kind has a fair share, and a kind that needs less leaves the
 * rest to others.
 */
export function selectPinned(
  items: readonly PinnedItem[],
  room: number,
  selecting: SelectionContext,
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

/**
 * Each kind leaves unused units to the following ones. The final rest goes to kinds without a line that fits into a share.
 */
function inShares(
  kinds: readonly Kind[],
  room: number,
  selecting: SelectionContext,
): readonly SizedSelection[] {
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

function selectOfKind(
  items: readonly PinnedItem[],
  room: number,
  selecting: SelectionContext,
): SizedSelection {
  return unitsUpTo(items, 'line', room, selecting) <= room
    ? shortenLargest(items, room, selecting)
    : newestLines(items, room, selecting);
}

function inFull(units: number): SizedSelection {
  return { shortened: new Map(), omissions: [], units };
}

/** Shortens the largest items, and as few as possible; a line for each must fit. */
function shortenLargest(
  items: readonly PinnedItem[],
  room: number,
  selecting: SelectionContext,
): SizedSelection {
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

/**
 * Items with about the same size, within a fifth, have the same class. The older ones of a class are shortened first.
 */
function sizeClass({ size }: PinnedItem): number {
  return Math.floor(Math.log2(Math.max(size, 1)) * 4);
}

function allLines(
  items: readonly PinnedItem[],
  room: number,
  selecting: SelectionContext,
): SizedSelection {
  return {
    shortened: new Map(items.map((item) => [item, 'line'])),
    omissions: [],
    units: unitsUpTo(items, 'line', room, selecting),
  };
}

type ShorteningOptions = Readonly<{ room: number; selecting: SelectionContext }>;

/** The first items as digests of equal room, or as lines; undefined if they do not fit. */
function shortenFirst(
  sorted: readonly PinnedItem[],
  count: number,
  { room, selecting }: ShorteningOptions,
): SizedSelection | undefined {
  const rest = unitsUpTo(sorted.slice(count).reverse(), 'full', room, selecting);
  const left = room - rest;
  if (left < 0) return undefined;
  const first = sorted.slice(0, count);
  const form = widestForm(first, left, selecting);
  if (!form) return undefined;
  const units = rest + unitsUpTo(first, form, left, selecting);
  return { shortened: new Map(first.map((item) => [item, form])), omissions: [], units };
}

/** The rooms of digests are powers of two, so that small changes do not affect them. */
function widestForm(
  items: readonly PinnedItem[],
  room: number,
  selecting: SelectionContext,
): Exclude<PinnedForm, 'full'> | undefined {
  const share = room * Math.min(largestDigest, 1 / Math.max(items.length, 1));
  const characters = 2 ** Math.floor(Math.log2(Math.max(share * charactersInUnit, 1)));
  for (let each = characters; each >= shortestDigest; each /= 2) {
    const form = digestRoom(each);
    if (unitsUpTo(items, form, room, selecting) <= room) return form;
  }
  return unitsUpTo(items, 'line', room, selecting) <= room ? 'line' : undefined;
}

/** Shows the newest items of one kind as lines, and one line for all others. */
function newestLines(
  items: readonly PinnedItem[],
  room: number,
  selecting: SelectionContext,
): SizedSelection {
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

/**
 * The newest items that fit as lines. Skips a few items with very long names, so that they do not displace all others.
 */
function newestWithin(
  items: readonly PinnedItem[],
  room: number,
  { segments, longLine }: SelectionContext,
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

/**
 * The number of omitted items is a multiple of a step: until the step is full, a new item changes nothing before it.
 */
function withRoomToGrow(count: number, all: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, count * omissionStep))));
  return Math.max(0, all - Math.ceil((all - count) / step) * step);
}

/** Stops counting above `limit`. */
function unitsUpTo(
  items: readonly PinnedItem[],
  form: PinnedForm,
  limit: number,
  { segments }: SelectionContext,
): number {
  let units = 0;
  for (const item of items) {
    units += segments.units(item, form);
    if (units > limit) break;
  }
  return units;
}
