import { type Segment, unitsIn } from '../segments/segment.js';

import { type Compose, type FittingView, findFitting, minIn } from './fitting-level.js';
import { type ViewSource, layOut, settledOnly } from './layout.js';
import { factsToList, mentionsSegment, shortenedEntries } from './mentions-segment.js';
import { type SegmentFactory } from './segment-factory.js';
import {
  type Group,
  type CompressionLevel,
  type SettledLayout,
  between,
  settledLevels,
  withWiderOutputs,
} from './compression-level.js';
import { type RecentSegments, pinnedSegment, recentSegments } from './recent-segments.js';
import { currentStateSegments } from './current-state-segments.js';
import { type Placed } from './timeline.js';
import { type ViewBudget } from './view-budget.js';

/** What views are laid out with. */
export type Work = Readonly<{ factory: SegmentFactory; placed: Placed; most: number }>;

/** Tokens to which the room of what holds now is rounded up, and the part of the budget that this takes at most. */
const standingRounding = 64;
const standingPart = 64;
/** Of the budget: what holds now is shortened if it takes more. */
const standingShare = 0.3;
/** Room for the facts that only shortened entries mention. */
const mentionsShare = 0.15;
const mentionsMargin = 1.1;
/** How often the windows of what is settled are halved between two rungs of the ladder. */
const refinements = 4;
/** Of the room, what settled entries take: less if the others need more. */
const settledShares = [0.6, 0.5, 0.4, 0.3, 0.2];
/** Of the budget, what is freed at once by entries that are not settled. */
const stepShare = 0.1;

/** How a view is laid out: settled entries under a pressure, with facts behind them, and later entries. */
type Arrangement = Readonly<{
  compression: CompressionLevel;
  mentions: Segment | undefined;
  recent: RecentSegments;
}>;

/** `isNewestWhole`: whether the newest outputs are whole, if they are not too large for that. */
type StableView = Readonly<{ segments: readonly Segment[]; isNewestWhole: boolean }>;

/**
 * Keeps the layout of settled entries and adds as much of later entries as fits; returns undefined if nothing fits. Gives settled entries less
 * room if the newest outputs stay whole then.
 */
export function composeStable(
  source: ViewSource,
  budget: ViewBudget,
  work: Work,
): StableView | undefined {
  const { factory, placed, most } = work;
  const chosen = choose(source, budget, work);
  if (!chosen) return undefined;
  const segments = layOut(source, placed, { factory, most, ...chosen, closing: true });
  return segments && { segments, isNewestWhole: isNewestWhole(chosen, placed) };
}

/** The first arrangement with which the newest outputs are whole, or the first one. */
function choose(source: ViewSource, budget: ViewBudget, work: Work): Arrangement | undefined {
  let first: Arrangement | undefined;
  for (const share of work.placed.settled > 0 ? settledShares : [0]) {
    const arranged = arrange(source, budget, { ...work, share });
    if (arranged && isNewestWhole(arranged, work.placed)) return arranged;
    first ??= arranged;
  }
  return first;
}

function isNewestWhole({ recent }: Arrangement, { newest, index, largest }: Placed): boolean {
  return newest.every((at) => (index.sizes[at] ?? 0) > largest || recent.get(at)?.form === 'whole');
}

type Sharing = Work & Readonly<{ share: number }>;

function arrange(
  source: ViewSource,
  budget: ViewBudget,
  { factory, placed, most, share }: Sharing,
): Arrangement | undefined {
  const { maxTokens, newest } = budget;
  const { form, reserved } = standingWithin(source, budget, { factory, placed, most });
  const pinned = pinnedUnits(source, { factory, placed, most });
  const free = most - reserved - pinned.all;
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
    most,
    mentions,
  });
  const recent =
    old &&
    recentSegments(placed, {
      factory,
      maxTokens,
      newest,
      units: most - reserved - unitsIn(old),
      step: most * stepShare,
    });
  return recent && { compression, mentions, recent };
}

type Settling = Readonly<{
  factory: SegmentFactory;
  placed: Placed;
  room: number;
  forMentions: number;
}>;

/** What is settled is laid out once: it stays the same while entries are added, and finding its layout takes half of the time of a view. */
function settledOnce(
  source: ViewSource,
  budget: ViewBudget,
  settling: Settling,
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

/** The fullest form of what holds now that takes no more than its share, and the units reserved for it. */
function standingWithin(
  { currentState: parts }: ViewSource,
  { tokenizer }: ViewBudget,
  { factory, most }: Work,
): Readonly<{ form: CompressionLevel['currentState']; reserved: number }> {
  const rounding = Math.min(most / standingPart, tokenizer.budgetUnits(standingRounding));
  const reserved = (segments: readonly Segment[]) =>
    Math.ceil(unitsIn(segments) / rounding) * rounding;
  for (const form of ['whole', 'brief'] as const) {
    const currentState = currentStateSegments(parts, form, factory, most * standingShare);
    if (currentState) return { form, reserved: reserved(currentState) };
  }
  return { form: 'few', reserved: reserved(currentStateSegments(parts, 'few', factory) ?? []) };
}

/** Counts the units of the header with all pinned entries, and with the settled ones. */
function pinnedUnits(
  { header, timeline: { places } }: ViewSource,
  { factory, placed }: Work,
): Readonly<{ all: number; settled: number }> {
  const head = factory.units(header);
  const sum = (kept: readonly number[]) =>
    kept.reduce((units, at) => units + pinnedSegment(placed, at, factory).units, head);
  return { all: sum(places.kept), settled: sum(places.kept.filter((at) => at < placed.settled)) };
}

/** The least pressure under which what is settled fits into the room; undefined if none does. */
function settle(
  source: ViewSource,
  { maxTokens, newest }: ViewBudget,
  { factory, placed, room, forMentions }: Settling,
): SettledLayout | undefined {
  const bare = { ...source, currentState: [] };
  const lay = (compression: CompressionLevel, limit: number) =>
    layOut(bare, placed, { factory, compression, most: limit });
  const work = { factory, placed, lay, maxTokens, groups: settledLevels(maxTokens, newest) };
  const first = settledWithin(work, room, forMentions);
  if (!first?.mentions) return first && settledWithin(work, room, 0);
  // What mentions do not take goes to what they are mentioned in.
  const taken = Math.min(forMentions, first.mentions.units * mentionsMargin);
  return settledWithin(work, room, taken) ?? first;
}

type Fitting = Readonly<{
  factory: SegmentFactory;
  placed: Placed;
  maxTokens: number;
  groups: readonly Group[];
  lay: (compression: CompressionLevel, limit: number) => readonly Segment[] | undefined;
}>;

/** The settled entries that fit into the room, of which a part is reserved for mentions. */
function settledWithin(
  { factory, placed, maxTokens, groups, lay }: Fitting,
  room: number,
  reserved: number,
): SettledLayout | undefined {
  const compose: Compose = (compression) => lay(compression, room - reserved);
  const found = findFitting(groups, compose);
  if (!found) return undefined;
  const compression = widened(refined(found, compose), maxTokens, compose);
  const told = lay(compression, room) ?? [];
  const facts = factsToList(shortenedEntries(told, placed), []);
  const mentions = mentionsSegment(told, {
    factory,
    units: room - unitsIn(told),
    facts,
  });
  return { compression, mentions };
}

/** Outputs gave way first; where other history does too, they get back what that leaves. */
function widened(
  compression: CompressionLevel,
  maxTokens: number,
  compose: Compose,
): CompressionLevel {
  const rungs: Group = [compression, ...withWiderOutputs(compression, maxTokens)];
  return minIn(rungs, { compression, segments: [], next: undefined }, compose).compression;
}

/** Windows as far as they go towards those of the next rung, of which not all fits. */
function refined({ compression, next }: FittingView, compose: Compose): CompressionLevel {
  // Nothing lies between a line for each of the newest entries and one roll-up of them.
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
