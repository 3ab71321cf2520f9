import { LRUCache } from 'lru-cache';

import { type ComposedView, type Segment, unitsIn } from '../segments/segment.js';

import { condense, minimumSegments, referenceSegments } from './condensed-source.js';
import { type Compose, type FittingView, findFitting } from './fitting-level.js';
import { type ViewSource, layOut, placeEntries } from './layout.js';
import { SegmentFactory } from './segment-factory.js';
import { mayPinnedFit, pinnedView, withRest } from './pinned-view.js';
import { type CompressionLevel, allLevels, noCompression } from './compression-level.js';
import { type LayoutInput, composeStable } from './stable-layout.js';
import { type PlacedTimeline } from './timeline.js';
import { type ViewBudget } from './view-budget.js';

/** The share of live decisions that is shortened in one step if not all of them fit whole. */
const decisionStep = 1 / 8;
/** In estimated tokens (quarters of characters), like sizes. */
const longestToken = 64;

/** Number of views cached for a source. The view of a version is needed again to compare it with the next one. */
const maxCachedViews = 4;

/**
 * Returns the view within the budget. Settled entries (see `distancesOf`) are laid out as if there were no later
 * entries, but with room for them, so that their layout stays the same until further entries are settled. Pure: the
 * same source and budget give the same bytes.
 */
export function composeView(source: ViewSource, budget: ViewBudget): ComposedView {
  const { composed } = source.timeline;
  const known = composed.get(source) ?? new LRUCache<string, ComposedView>({ max: maxCachedViews });
  composed.set(source, known);
  const name = `${budget.maxTokens} ${budget.tokenizer.name} ${budget.newest} ${budget.overflow}`;
  const view = known.get(name) ?? composeUncached(source, budget);
  known.set(name, view);
  return view;
}

function composeUncached(source: ViewSource, budget: ViewBudget): ComposedView {
  const { tokenizer, maxTokens } = budget;
  const factory = new SegmentFactory(tokenizer);
  const limit = tokenizer.budgetUnits(maxTokens);
  const placed = placeEntries(source.timeline, budget);
  const work = { factory, placed, limit };
  const found = composeWithin(source, budget, work);
  if (found) return fitting(found);
  const minimum = minimumSegments(source, factory);
  return unitsIn(minimum) <= limit
    ? fitting(composeCondensed(source, budget, work) ?? minimum)
    : tooSmall(source, minimum, { budget, work });
}

/** Returns all protected parts with as much other content as fits; undefined if the protected parts do not fit. */
function composeWithin(
  source: ViewSource,
  budget: ViewBudget,
  work: LayoutInput,
): readonly Segment[] | undefined {
  const { maxTokens, newest } = budget;
  const { factory, placed, limit } = work;
  const compose: Compose = (compression) => layOut(source, placed, { factory, compression, limit });
  const calm = mayFit(placed, maxTokens) ? compose(noCompression(maxTokens, newest)) : undefined;
  if (calm) return calm;
  if (!mayPinnedFit(source, work, limit)) return undefined;
  return composeShortened(source, budget, { ...work, compose }) ?? composePinned(source, work);
}

/** Keeps the newest outputs whole if everything else can be rolled up. */
function composeShortened(
  source: ViewSource,
  budget: ViewBudget,
  { compose, ...work }: LayoutInput & Readonly<{ compose: Compose }>,
): readonly Segment[] | undefined {
  const { factory, placed, limit } = work;
  const stable = composeStable(source, budget, work);
  if (stable?.isNewestWhole) return stable.segments;
  const [first, ...rest] = allLevels(budget.maxTokens, budget.newest);
  const found = findFitting(first ? [first] : [], compose);
  if (!found && stable) return stable.segments;
  const compression = graded(found ?? findFitting(rest, compose), placed, compose);
  return compression && layOut(source, placed, { factory, compression, limit, closing: true });
}

function composePinned(source: ViewSource, work: LayoutInput): readonly Segment[] | undefined {
  const pinned = pinnedView(source, work, work.limit);
  return pinned && withRest(pinned, source, work);
}

/** Shortens protected parts, or counts them in a line with a reference. */
function composeCondensed(
  source: ViewSource,
  budget: ViewBudget,
  { factory, limit }: LayoutInput,
): readonly Segment[] | undefined {
  const condensed = condense(source, factory, limit);
  if (!condensed) return undefined;
  const placed = placeEntries(condensed.source.timeline, budget, condensed);
  return composeWithin(condensed.source, budget, { factory, placed, limit });
}

/** Skips a full layout that cannot fit: no token is longer than {@link longestToken}. */
function mayFit({ index }: PlacedTimeline, maxTokens: number): boolean {
  return index.size <= maxTokens * longestToken;
}

/**
 * If not all live decisions fit whole, shows the newest as full as they fit. Their number changes in steps, so that
 * views do not change with every decision.
 */
function graded(
  found: FittingView | undefined,
  { index }: PlacedTimeline,
  compose: Compose,
): CompressionLevel | undefined {
  if (!found || found.compression.decisions === 'whole') return found?.compression;
  const count = index.places.pinned.length;
  let [low, high] = [0, count];
  while (low < high) {
    const fuller = (low + high + 1) >>> 1;
    if (compose({ ...found.compression, fuller })) low = fuller;
    else high = fuller - 1;
  }
  const step = 2 ** Math.floor(Math.log2(Math.max(1, count * decisionStep)));
  const shorter = Math.ceil((count - low) / step) * step;
  return { ...found.compression, fuller: Math.max(0, count - shorter) };
}

/** Returns as much of the minimum view as fits, or the number of tokens that the minimum view takes. */
function tooSmall(
  source: ViewSource,
  minimum: readonly Segment[],
  { budget, work }: Readonly<{ budget: ViewBudget; work: LayoutInput }>,
): ComposedView {
  if (budget.overflow === 'minimum')
    return fitting(maxUseful(referenceSegments(source, work.factory), work.limit));
  const units = unitsIn(minimum);
  const pinned = pinnedView(source, work, units);
  return { segments: minimum, units: pinned ? unitsIn(pinned.segments) : units, fits: false };
}

/** Prefers segments with a reference to segments without one. */
function maxUseful(segments: readonly Segment[], limit: number): readonly Segment[] {
  let left = limit;
  const shown = new Set<Segment>();
  for (const segment of segments.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    if (segment.units > left) continue;
    left -= segment.units;
    shown.add(segment);
  }
  return segments.filter((segment) => shown.has(segment));
}

function rankOf({ ref }: Segment): number {
  return ref === null ? 1 : 0;
}

function fitting(segments: readonly Segment[]): ComposedView {
  return { segments, units: unitsIn(segments), fits: true };
}
