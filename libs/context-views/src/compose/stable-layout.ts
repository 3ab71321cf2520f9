import { type Segment, unitsIn } from '../segments/segment.js';

import { type Compose, type FittingView, findFitting, leastCompressedIn } from './fitting-level.js';
import { type ViewSource, layOut, settledOnly } from './layout.js';
import { factsToList, mentionsSegment, shortenedEntries } from './mentions-segment.js';
import { type SegmentFactory } from './segment-factory.js';
import {
  type LevelGroup,
  type CompressionLevel,
  type SettledLayout,
  between,
  settledLevels,
  withWiderOutputs,
} from './compression-level.js';
import { type RecentSegments, pinnedSegment, recentSegments } from './recent-segments.js';
import { currentStateSegments } from './current-state-segments.js';
import { type PlacedTimeline } from './timeline.js';
import { type ViewBudget } from './view-budget.js';

/** The inputs of a layout. */
export type LayoutInput = Readonly<{
  factory: SegmentFactory;
  placed: PlacedTimeline;
  limit: number;
}>;

/**
 * The room of the current state is rounded up to a multiple of these tokens, or of the budget divided by this number if
 * that is less.
 */
const stateRounding = 64;
const stateDivisor = 64;
/** The share of the budget above which the current state is shortened. */
const stateShare = 0.3;
/** The share of the room for facts that only shortened entries mention. */
const mentionsShare = 0.15;
const mentionsMargin = 1.1;
/** How often the windows of settled entries are bisected between two levels. */
const refinements = 4;
/**
 * Shares of the room for settled entries, in the order in which they are tried: less if the other entries need more.
 */
const settledShares = [0.6, 0.5, 0.4, 0.3, 0.2];
/** The share of the budget that entries that are not settled free in one step. */
const stepShare = 0.1;

/** The layout of a view: settled entries at a compression level, facts after them, and later entries. */
type Arrangement = Readonly<{
  compression: CompressionLevel;
  mentions: Segment | undefined;
  recent: RecentSegments;
}>;

/** `isNewestWhole`: whether the newest outputs are whole, except outputs that are too large. */
type StableView = Readonly<{ segments: readonly Segment[]; isNewestWhole: boolean }>;

/**
 * Keeps the layout of settled entries and adds as much of later entries as fits; undefined if nothing fits. Gives
 * settled entries less room if that keeps the newest outputs whole.
 */
export function composeStable(
  source: ViewSource,
  budget: ViewBudget,
  work: LayoutInput,
): StableView | undefined {
  const { factory, placed, limit } = work;
  const chosen = choose(source, budget, work);
  if (!chosen) return undefined;
  const segments = layOut(source, placed, { factory, limit, ...chosen, closing: true });
  return segments && { segments, isNewestWhole: isNewestWhole(chosen, placed) };
}

/** The first arrangement that shows the newest outputs whole; else the first one. */
function choose(
  source: ViewSource,
  budget: ViewBudget,
  work: LayoutInput,
): Arrangement | undefined {
  let first: Arrangement | undefined;
  for (const share of work.placed.settled > 0 ? settledShares : [0]) {
    const arranged = arrange(source, budget, { ...work, share });
    if (arranged && isNewestWhole(arranged, work.placed)) return arranged;
    first ??= arranged;
  }
  return first;
}

function isNewestWhole(
  { recent }: Arrangement,
  { newest, index, largest }: PlacedTimeline,
): boolean {
  return newest.every((at) => (index.sizes[at] ?? 0) > largest || recent.get(at)?.form === 'whole');
}

type ArrangementInput = LayoutInput & Readonly<{ share: number }>;

function arrange(
  source: ViewSource,
  budget: ViewBudget,
  { factory, placed, limit, share }: ArrangementInput,
): Arrangement | undefined {
  const { maxTokens, newest } = budget;
  const { form, reserved } = currentStateWithin(source, budget, { factory, placed, limit });
  const pinned = pinnedUnits(source, { factory, placed, limit });
  const free = limit - reserved - pinned.all;
  if (free <= 0) return undefined;
  const room = pinned.settled + Math.ceil(free * share);
  const forMentions = free * share * mentionsShare;
  const settled = settledOnce(source, budget, { factory, placed, room, forMentions });
  if (!settled) return undefined;
  const { mentions } = settled;
  const compression = { ...settled.compression, currentState: form };
  const old = layOut({ ...source, currentState: [] }, settledOnly(placed), {
    factory,
    compression,
    limit,
    mentions,
  });
  const recent =
    old &&
    recentSegments(placed, {
      factory,
      maxTokens,
      newest,
      units: limit - reserved - unitsIn(old),
      step: limit * stepShare,
    });
  return recent && { compression, mentions, recent };
}

type SettlingInput = Readonly<{
  factory: SegmentFactory;
  placed: PlacedTimeline;
  room: number;
  forMentions: number;
}>;

/**
 * Caches the layout of settled entries: it stays the same while entries are added, and computing it takes half of the
 * time of a view.
 */
function settledOnce(
  source: ViewSource,
  budget: ViewBudget,
  settling: SettlingInput,
): SettledLayout | undefined {
  const { header, summary, omissions } = source;
  const { maxTokens, newest, tokenizer } = budget;
  const { room, placed, forMentions } = settling;
  const make = () => settle(source, budget, { ...settling, placed: settledOnly(placed) });
  if (omissions || placed.shortened) return make();
  const { settled, opening, distances, index } = placed;
  const name = [tokenizer.name, maxTokens, newest, room, forMentions, opening, distances[0]];
  return index.settledLayout(JSON.stringify([...name, header, summary?.ref]), settled, make);
}

/** The fullest form of the current state that takes no more than its share, and the units reserved for it. */
function currentStateWithin(
  { currentState: parts }: ViewSource,
  { tokenizer }: ViewBudget,
  { factory, limit }: LayoutInput,
): Readonly<{ form: CompressionLevel['currentState']; reserved: number }> {
  const rounding = Math.min(limit / stateDivisor, tokenizer.budgetUnits(stateRounding));
  const reserved = (segments: readonly Segment[]) =>
    Math.ceil(unitsIn(segments) / rounding) * rounding;
  for (const form of ['whole', 'brief'] as const) {
    const currentState = currentStateSegments(parts, form, factory, limit * stateShare);
    if (currentState) return { form, reserved: reserved(currentState) };
  }
  return { form: 'few', reserved: reserved(currentStateSegments(parts, 'few', factory) ?? []) };
}

/** Units of the header with all pinned entries, and with the settled ones. */
function pinnedUnits(
  { header, timeline }: ViewSource,
  { factory, placed }: LayoutInput,
): Readonly<{ all: number; settled: number }> {
  const { pinned } = timeline.places;
  const head = factory.units(header);
  const sum = (entries: readonly number[]) =>
    entries.reduce((units, at) => units + pinnedSegment(placed, at, factory).units, head);
  return { all: sum(pinned), settled: sum(pinned.filter((at) => at < placed.settled)) };
}

/** The least compressed layout of settled entries that fits into the room; undefined if none does. */
function settle(
  source: ViewSource,
  { maxTokens, newest }: ViewBudget,
  { factory, placed, room, forMentions }: SettlingInput,
): SettledLayout | undefined {
  const bare = { ...source, currentState: [] };
  const lay = (compression: CompressionLevel, limit: number) =>
    layOut(bare, placed, { factory, compression, limit });
  const work = { factory, placed, lay, maxTokens, groups: settledLevels(maxTokens, newest) };
  const first = settledWithin(work, room, forMentions);
  if (!first?.mentions) return first && settledWithin(work, room, 0);
  // Units that mentions do not take go to the entries that they are mentioned in.
  const taken = Math.min(forMentions, first.mentions.units * mentionsMargin);
  return settledWithin(work, room, taken) ?? first;
}

type FittingInput = Readonly<{
  factory: SegmentFactory;
  placed: PlacedTimeline;
  maxTokens: number;
  groups: readonly LevelGroup[];
  lay: (compression: CompressionLevel, limit: number) => readonly Segment[] | undefined;
}>;

/** The layout of settled entries that fits into the room, a part of which is reserved for mentions. */
function settledWithin(
  { factory, placed, maxTokens, groups, lay }: FittingInput,
  room: number,
  reserved: number,
): SettledLayout | undefined {
  const compose: Compose = (compression) => lay(compression, room - reserved);
  const found = findFitting(groups, compose);
  if (!found) return undefined;
  const compression = widened(refined(found, compose), maxTokens, compose);
  const shown = lay(compression, room) ?? [];
  const facts = factsToList(shortenedEntries(shown, placed), []);
  const mentions = mentionsSegment(shown, { factory, units: room - unitsIn(shown), facts });
  return { compression, mentions };
}

/** Outputs are shortened first. If other history is shortened too, outputs get back the units that this leaves. */
function widened(
  compression: CompressionLevel,
  maxTokens: number,
  compose: Compose,
): CompressionLevel {
  const rungs: LevelGroup = [compression, ...withWiderOutputs(compression, maxTokens)];
  return leastCompressedIn(rungs, { compression, segments: [], next: undefined }, compose)
    .compression;
}

/** Widens the windows as far as possible towards those of the next level, which does not fit. */
function refined({ compression, next }: FittingView, compose: Compose): CompressionLevel {
  // There is no level between a line for each of the newest entries and one roll-up of them.
  if (!next || compression.partial !== 'no') return compression;
  let found = compression;
  let [low, high] = [0, 1];
  for (let left = refinements; left > 0; left--) {
    const middle = (low + high) / 2;
    const tried = between(compression, next, middle);
    if (compose(tried)) [low, found] = [middle, tried];
    else high = middle;
  }
  return found;
}
