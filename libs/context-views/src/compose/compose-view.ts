import { LRUCache } from 'lru-cache';

import { type ComposedView, type Segment, unitsIn } from '../segments/segment.js';

import { condense, minimumSegments, referenceSegments } from './condensed-source.js';
import { type Compose, type FittingView, findFitting } from './fitting-level.js';
import { type ViewSource, layOut, placeEntries } from './layout.js';
import { SegmentFactory } from './segment-factory.js';
import { mayPinnedFit, pinnedView, withRest } from './pinned-view.js';
import { type CompressionLevel, allLevels, noCompression } from './compression-level.js';
import { type Work, composeStable } from './stable-layout.js';
import { type Placed } from './timeline.js';
import { type ViewBudget } from './view-budget.js';

/** The part of live decisions that are shortened at once, if not all fit as they are. */
const decisionStep = 1 / 8;
/** In quarters of characters, as sizes are. */
const longestToken = 64;

/** Of a source, for as many budgets: the view of a version is needed again with the version behind it. */
const maxComposed = 4;

/**
 * The view within the budget. What is settled is laid out as if nothing had come since the last quantum was full, with
 * room for what is to come, so that it stays as it is meanwhile. Pure: the same source and budget make the same bytes.
 */
export function composeView(source: ViewSource, budget: ViewBudget): ComposedView {
  const { composed } = source.timeline;
  const known = composed.get(source) ?? new LRUCache<string, ComposedView>({ max: maxComposed });
  composed.set(source, known);
  const name = `${budget.maxTokens} ${budget.tokenizer.name} ${budget.newest} ${budget.overflow}`;
  const view = known.get(name) ?? composeAnew(source, budget);
  known.set(name, view);
  return view;
}

function composeAnew(source: ViewSource, budget: ViewBudget): ComposedView {
  const { tokenizer, maxTokens } = budget;
  const factory = new SegmentFactory(tokenizer);
  const most = tokenizer.budgetUnits(maxTokens);
  const placed = placeEntries(source.timeline, budget);
  const work = { factory, placed, most };
  const found = composeWithin(source, budget, work);
  if (found) return fitting(found);
  const minimum = minimumSegments(source, factory);
  return unitsIn(minimum) <= most
    ? fitting(composeCondensed(source, budget, work) ?? minimum)
    : tooSmall(source, minimum, { budget, work });
}

/** With everything that is never dropped, as full as it fits; undefined if it does not fit. */
function composeWithin(
  source: ViewSource,
  budget: ViewBudget,
  work: Work,
): readonly Segment[] | undefined {
  const { maxTokens, newest } = budget;
  const { factory, placed, most } = work;
  const compose: Compose = (compression) => layOut(source, placed, { factory, compression, most });
  const calm = mayFit(placed, maxTokens) ? compose(noCompression(maxTokens, newest)) : undefined;
  if (calm) return calm;
  if (!mayPinnedFit(source, work, most)) return undefined;
  return composeShortened(source, budget, { ...work, compose }) ?? composePinned(source, work);
}

/** The newest outputs stay whole if everything else can be rolled up. */
function composeShortened(
  source: ViewSource,
  budget: ViewBudget,
  { compose, ...work }: Work & Readonly<{ compose: Compose }>,
): readonly Segment[] | undefined {
  const { factory, placed, most } = work;
  const stable = composeStable(source, budget, work);
  if (stable?.isNewestWhole) return stable.segments;
  const [first, ...rest] = allLevels(budget.maxTokens, budget.newest);
  const found = findFitting(first ? [first] : [], compose);
  if (!found && stable) return stable.segments;
  const compression = graded(found ?? findFitting(rest, compose), placed, compose);
  return compression && layOut(source, placed, { factory, compression, most, closing: true });
}

function composePinned(source: ViewSource, work: Work): readonly Segment[] | undefined {
  const pinned = pinnedView(source, work, work.most);
  return pinned && withRest(pinned, source, work);
}

/** With what is never dropped shortened, or counted with a reference. */
function composeCondensed(
  source: ViewSource,
  budget: ViewBudget,
  { factory, most }: Work,
): readonly Segment[] | undefined {
  const condensed = condense(source, factory, most);
  if (!condensed) return undefined;
  const placed = placeEntries(condensed.source.timeline, budget, condensed);
  return composeWithin(condensed.source, budget, { factory, placed, most });
}

/** No token has more than some hundred characters: what is that much too long need not be tried. */
function mayFit({ index }: Placed, maxTokens: number): boolean {
  return index.size <= maxTokens * longestToken;
}

/** If not all live decisions fit as they are, the newest are as full as they fit; fewer in steps, so that views do not change with each one. */
function graded(
  found: FittingView | undefined,
  { index }: Placed,
  compose: Compose,
): CompressionLevel | undefined {
  if (!found || found.compression.decisions === 'whole') return found?.compression;
  const count = index.places.kept.length;
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

/** As much of the smallest view as fits, or the number of tokens that it takes. */
function tooSmall(
  source: ViewSource,
  minimum: readonly Segment[],
  { budget, work }: Readonly<{ budget: ViewBudget; work: Work }>,
): ComposedView {
  if (budget.overflow === 'minimum')
    return fitting(maxUseful(referenceSegments(source, work.factory), work.most));
  const units = unitsIn(minimum);
  const pinned = pinnedView(source, work, units);
  return { segments: minimum, units: pinned ? unitsIn(pinned.segments) : units, fits: false };
}

/** References before words. */
function maxUseful(segments: readonly Segment[], most: number): readonly Segment[] {
  let left = most;
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
