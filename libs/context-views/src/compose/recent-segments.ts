import { type Entry, type EntryForm } from '../entries/entry.js';
import { type DigestRoom } from '../entries/entry-text.js';
import { type Segment } from '../segments/segment.js';
import { type SegmentFactory } from './segment-factory.js';
import { type PlacedTimeline, entryAt } from './timeline.js';
import { classOf } from './timeline-index.js';
import { type EntryClass } from './group-tallies.js';

/** The segments of entries that are not settled, by their indexes. */
export type RecentSegments = ReadonlyMap<number, Segment>;

type RecentRoom = Readonly<{
  factory: SegmentFactory;
  /** Units that the entries may take. */
  units: number;
  /** Units that are freed in one step if the entries take more. */
  step: number;
  maxTokens: number;
  /** How many of the newest outputs are shortened last. */
  newest: number;
}>;

/** A form, and the estimated tokens above which an entry is shortened to it. */
type Level = Readonly<{ form: EntryForm; room: DigestRoom; above: number }>;

const charactersInToken = 4;
const minDigest = 160;
/** The maximum share of the budget for an entry as the longest digest. */
const longShare = 0.15;
/**
 * The maximum share of the budget for an opening record or plan: the entries after it also show what the work is about.
 */
const plannedShare = 0.06;
/** The maximum share of the budget for an entry as the shortest digest; {@link lastShare} limits it too. */
const lastMost = 0.08;
/** The opening entry, which states the task, is not shortened beyond this level. */
const openingLevel = 1;
/** How many of the newest entries of other history are shortened after all others. */
const newestOthers = 1;
/** The share of an entry in its shortest digest. */
const lastShare = 0.3;

/** Shortens entries of a class to a level, the oldest first, except the `spared` newest ones. */
type Stage = {
  readonly of: EntryClass;
  readonly level: number;
  readonly spared: number;
  /** Whether more is freed than needed. */
  readonly isAhead: boolean;
  next: number;
};

/**
 * Adds one whole entry after the other. If they exceed the room, shortens the oldest ones, and more of them than
 * needed, so that the view of the next version mostly begins like this one. Undefined if there is no room for the
 * shortest form of each.
 */
export function recentSegments(
  placed: PlacedTimeline,
  room: RecentRoom,
): RecentSegments | undefined {
  const recent = new RecentSegmentBuilder(placed, room);
  for (let at = placed.settled; at < placed.count; at++) {
    if (placed.hidesPast && entryAt(placed, at).isPast) continue;
    if (!recent.add(at)) return undefined;
  }
  return recent.segments;
}

class RecentSegmentBuilder {
  readonly segments = new Map<number, Segment>();
  readonly #levelOf = new Map<number, number>();
  readonly #levels: readonly Level[];
  readonly #stages: readonly Stage[];
  /** Indexes of entries that are not pinned, the oldest first. */
  readonly #places: Record<EntryClass, number[]> = { outputs: [], others: [] };
  #added = 0;
  #used = 0;

  constructor(
    private readonly placed: PlacedTimeline,
    private readonly room: RecentRoom,
  ) {
    this.#levels = levelsOf(room.maxTokens);
    const last = this.#levels.length - 1;
    const stages = (of: EntryClass, spared: number): readonly Stage[] =>
      this.#levels.slice(1).map((_, at) => ({
        of,
        level: at + 1,
        spared,
        next: placed.settled,
        isAhead: spared === (of === 'others' ? newestOthers : room.newest),
      }));
    const counts = Array.from({ length: room.newest }, (_, at) => room.newest - 1 - at);
    this.#stages = [
      ...stages('outputs', room.newest),
      ...stages('others', newestOthers),
      ...stages('others', 0),
      ...counts.flatMap((spared) =>
        stages('outputs', spared).filter(({ level }) => spared > 0 || level < last),
      ),
    ];
  }

  /** Returns false if there is no room for a line of each. */
  add(at: number): boolean {
    this.#added = at + 1;
    if (!entryAt(this.placed, at).pinned) this.#places[this.#classAt(at)].push(at);
    this.#show(at, 0);
    if ((this.placed.index.sizes[at] ?? 0) > this.placed.largest) this.#shorten(at, 1);
    if (this.#used <= this.room.units) return true;
    for (const stage of this.#stages) if (this.#applyStage(stage)) return true;
    return this.#used <= this.room.units;
  }

  /** Returns whether enough was freed. */
  #applyStage(stage: Stage): boolean {
    const limit = this.room.units - (stage.isAhead ? this.room.step : 0);
    const end = this.#end(stage);
    for (; stage.next < end && this.#used > limit; stage.next++)
      if (this.segments.has(stage.next) && this.#classAt(stage.next) === stage.of)
        this.#shorten(stage.next, stage.level);
    return this.#used <= limit;
  }

  /** Returns the index of the oldest entry that this stage does not shorten. */
  #end({ of, spared }: Stage): number {
    return spared === 0 ? this.#added : (this.#places[of].at(-spared) ?? this.placed.settled);
  }

  #classAt(at: number): EntryClass {
    return classOf(entryAt(this.placed, at));
  }

  #shorten(at: number, level: number): void {
    const before = this.#levelOf.get(at) ?? 0;
    if (before < level && this.#mayShorten(at, level)) this.#show(at, level);
  }

  #mayShorten(at: number, level: number): boolean {
    const size = this.placed.index.sizes[at] ?? 0;
    if (size <= (this.#levels[level]?.above ?? 0)) return false;
    const { pinned, isByPerson } = entryAt(this.placed, at);
    if (at === this.placed.opening && (pinned || isByPerson)) return level <= openingLevel;
    return !pinned;
  }

  #segment(at: number, form: EntryForm, room: DigestRoom): Segment {
    const entry = entryAt(this.placed, at);
    const { factory } = this.room;
    const isFixed =
      entry.pinned && (at !== this.placed.opening || this.placed.shortened?.has(entry));
    return isFixed ? pinnedSegment(this.placed, at, factory) : factory.entry(entry, form, room);
  }

  #show(at: number, level: number): void {
    const { form, room } = this.#levels[level] ?? whole;
    const segment = this.#segment(at, form, room);
    this.#used += segment.units - (this.segments.get(at)?.units ?? 0);
    this.segments.set(at, segment);
    this.#levelOf.set(at, level);
  }
}

/** A pinned entry, whole unless its source requires a shorter form. */
export function pinnedSegment(
  placed: PlacedTimeline,
  at: number,
  factory: SegmentFactory,
): Segment {
  const entry = entryAt(placed, at);
  const shape = placed.shortened?.get(entry);
  if (shape) return factory.entry(entry, shape.form, shape.room);
  return at === placed.opening
    ? openingSegment(entry, placed.maxTokens, factory)
    : factory.entry(entry, 'whole', noRoom);
}

/** The opening entry, which states the task: whole, or the shortest digest that is allowed for it. */
export function openingSegment(entry: Entry, maxTokens: number, factory: SegmentFactory): Segment {
  const hasLongShare = entry.pinned || entry.isByPerson || entry.section === 'outputs';
  const limit = maxTokens * (hasLongShare ? longShare : plannedShare);
  return factory.entry(entry, entry.size > limit ? 'digest' : 'whole', cappedRoom(limit));
}

/** The room for a digest of at most `tokens` tokens. */
function cappedRoom(tokens: number, share = 1): DigestRoom {
  const limit = Math.max(minDigest, Math.ceil(tokens * charactersInToken));
  return { name: `${share} ${limit}`, share, min: minDigest, limit };
}

/** For forms that are not digests. */
export const noRoom: DigestRoom = { name: 'none', share: 0, min: 0, limit: 0 };
const whole: Level = { form: 'whole', room: noRoom, above: 0 };

/** From whole to a line. */
function levelsOf(maxTokens: number): readonly Level[] {
  const digest = (share: number, tokens: number): Level => ({
    form: 'digest',
    room: cappedRoom(tokens, share),
    above: share < 1 ? 0 : tokens,
  });
  return [
    whole,
    digest(1, maxTokens * longShare),
    digest(lastShare, maxTokens * lastMost),
    { form: 'line', room: noRoom, above: 0 },
  ];
}
