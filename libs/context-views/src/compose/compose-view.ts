import { type Tokenizer } from '../tokens/tokenizer.js';
import { quantaInBudget } from './distances.js';
import { Lately } from './lately.js';
import { type ViewSource, layOut, placeEntries, settledOnly } from './layout.js';
import { leastSegments, referencesOnly, withRest } from './least-view.js';
import { mentionsSegment } from './mentions-segment.js';
import { type Memo, Pieces, noMemo } from './pieces.js';
import {
  type Group,
  type Pressure,
  allPressures,
  between,
  calmPressure,
  mostPressure,
  settledPressures,
  withWiderOutputs,
} from './pressure.js';
import { type Segment, unitsIn } from './segment.js';
import { standingSegments } from './standing-segments.js';
import { type Placed } from './timeline.js';

export type ViewBudget = Readonly<{
  maxTokens: number;
  tokenizer: Tokenizer;
  /** How many of the newest step outputs stay whole while they fit. */
  newest: number;
  /** What is done where not even what is never dropped fits: nothing, or the oldest of it as references. */
  overflow: 'refuse' | 'minimum';
}>;

/** `fits` where the units are within the budget; otherwise `units` is what it would take at least. */
export type ComposedView = Readonly<{ segments: readonly Segment[]; units: number; fits: boolean }>;

type Compose = (pressure: Pressure) => readonly Segment[] | undefined;

/** The part of the budget that what holds is rounded to. */
const standingPart = 16;
/** For what is mentioned in what is shortened, and told nowhere else. */
const mentionsShare = 0.2;
const mentionsMargin = 1.1;
/** In quarters of characters, as sizes are. */
const longestToken = 64;
/** How often the windows of what is settled are halved between two rungs of the ladder. */
const refinements = 4;

/**
 * The view within the budget. What is settled is laid out as if nothing had come since the last quantum was full, with
 * room for what is to come, so that it stays as it is meanwhile. Pure: the same source and budget make the same bytes,
 * whatever `memo` holds.
 */
export function composeView(
  source: ViewSource,
  budget: ViewBudget,
  memo: Memo = noMemo,
): ComposedView {
  const known = composed.get(source) ?? new Lately<ComposedView>(mostComposed);
  composed.set(source, known);
  const name = `${budget.maxTokens} ${budget.tokenizer.name} ${budget.newest} ${budget.overflow}`;
  return known.find(name, () => composeAnew(source, budget, memo));
}

/** As long as somebody has the source: the view of a version is asked for again with the version behind it. */
const composed = new WeakMap<ViewSource, Lately<ComposedView>>();
/** Of a source, for as many budgets. */
const mostComposed = 4;

function composeAnew(source: ViewSource, budget: ViewBudget, memo: Memo): ComposedView {
  const { tokenizer, maxTokens, newest } = budget;
  const pieces = new Pieces(tokenizer, memo);
  const most = tokenizer.budgetUnits(maxTokens);
  const placed = placeEntries(source.timeline, maxTokens, newest);
  const compose: Compose = (pressure) => layOut(source, placed, { pieces, pressure, most });
  const found =
    (mayFit(placed, maxTokens) ? compose(calmPressure(maxTokens, newest)) : undefined) ??
    composeStable(source, budget, { pieces, placed, most }) ??
    graded(findFitting(allPressures(maxTokens, newest), compose), placed, compose);
  return found ? fitting(found) : leastView(source, budget, { pieces, placed, most });
}

/** No token has more than some hundred characters: what is that much too long need not be tried. */
function mayFit({ index: { sizes } }: Placed, maxTokens: number): boolean {
  return sizes.reduce((sum, size) => sum + size, 0) <= maxTokens * longestToken;
}

type Work = Readonly<{ pieces: Pieces; placed: Placed; most: number }>;

/** Of live decisions the newest as full as they fit, where not all of them do. */
function graded(
  found: Found | undefined,
  { index }: Placed,
  compose: Compose,
): readonly Segment[] | undefined {
  if (!found || found.pressure.decisions === 'whole') return found?.segments;
  let segments = found.segments;
  let [low, high] = [0, index.places.kept.length];
  while (low < high) {
    const fuller = (low + high + 1) >>> 1;
    const tried = compose({ ...found.pressure, fuller });
    if (tried) [low, segments] = [fuller, tried];
    else high = fuller - 1;
  }
  return segments;
}

/** What is settled as it was, and of what is recent as much as fits. */
function composeStable(
  source: ViewSource,
  budget: ViewBudget,
  { pieces, placed, most }: Work,
): readonly Segment[] | undefined {
  const settled = settle(source, budget, { pieces, placed: settledOnly(placed) });
  if (!settled) return undefined;
  const recent = placed.distances.filter((distance) => distance < 0).length + newestOf(settled);
  const compose: Compose = (pressure) =>
    layOut(source, placed, { pieces, pressure, most, mentions: settled.mentions });
  const groups = (['whole', 'digest', 'line'] as const).map((form): Group => {
    const counts = Array.from({ length: form === 'whole' ? 1 : recent }, (_, count) => count);
    const [first = settled.pressure, ...rest] = counts.map((recentWhole): Pressure => ({
      ...{ ...settled.pressure, recent: form, recentWhole },
    }));
    return [first, ...rest];
  });
  return findFitting(groups, compose)?.segments;
}

/** Outputs that are told as recent ones are although they are settled. */
function newestOf({ pressure }: Settled): number {
  return pressure.kept;
}

type Settled = Readonly<{ pressure: Pressure; mentions: Segment | undefined }>;

/** The least pressure under which what is settled leaves room for what is to come; undefined where none does. */
function settle(
  source: ViewSource,
  { maxTokens, newest, tokenizer }: ViewBudget,
  { pieces, placed }: Pick<Work, 'pieces' | 'placed'>,
): Settled | undefined {
  const most = tokenizer.budgetUnits(maxTokens);
  const rounding = most / standingPart;
  const standing = unitsIn(standingSegments(source.standing, 'whole', pieces));
  const held = Math.ceil(standing / rounding) * rounding;
  const room = most - held - most / quantaInBudget;
  const bare = { header: source.header, standing: [], summary: source.summary };
  const lay = (pressure: Pressure, limit: number) =>
    layOut(bare, placed, { pieces, pressure, most: limit });
  const work = { pieces, placed, lay, maxTokens, groups: settledPressures(maxTokens, newest) };
  const first = settledWithin(work, room, most * mentionsShare);
  if (!first?.mentions) return first && settledWithin(work, room, 0);
  // What mentions do not take goes to what they are mentioned in.
  const taken = Math.min(most * mentionsShare, first.mentions.units * mentionsMargin);
  return settledWithin(work, room, taken) ?? first;
}

type Settling = Readonly<{
  pieces: Pieces;
  placed: Placed;
  maxTokens: number;
  groups: readonly Group[];
  lay: (pressure: Pressure, limit: number) => readonly Segment[] | undefined;
}>;

/** What is settled within the room, of which so much is held for mentions. */
function settledWithin(
  { pieces, placed, maxTokens, groups, lay }: Settling,
  room: number,
  held: number,
): Settled | undefined {
  const compose: Compose = (pressure) => lay(pressure, room - held);
  const found = findFitting(groups, compose);
  if (!found) return undefined;
  const pressure = widened(refined(found, compose), maxTokens, compose);
  const told = lay(pressure, room) ?? [];
  return {
    pressure,
    mentions: mentionsSegment(told, placed, { pieces, units: room - unitsIn(told) }),
  };
}

/** Outputs gave way first; where other history does too, they get back what that leaves. */
function widened(pressure: Pressure, maxTokens: number, compose: Compose): Pressure {
  const rungs: Group = [pressure, ...withWiderOutputs(pressure, maxTokens)];
  return leastIn(rungs, { pressure, segments: [], next: undefined }, compose).pressure;
}

/** Windows as far as they go towards those of the next rung, of which not all fits. */
function refined({ pressure, next }: Found, compose: Compose): Pressure {
  if (!next) return pressure;
  let found = pressure;
  let [low, high] = [0, 1];
  for (let left = refinements; left > 0; left--) {
    const middle = (low + high) / 2;
    const tried = between(pressure, next, middle);
    if (compose(tried)) [low, found] = [middle, tried];
    else high = middle;
  }
  return found;
}

/** `next`: the one with less pressure, of which not all fits. */
type Found = Readonly<{
  pressure: Pressure;
  segments: readonly Segment[];
  next: Pressure | undefined;
}>;

/** Under the least pressure of the first group of which any fits. */
function findFitting(groups: readonly Group[], compose: Compose): Found | undefined {
  for (const group of groups) {
    const [pressure] = group;
    const segments = compose(pressure);
    if (segments) return leastIn(group, { pressure, segments, next: undefined }, compose);
  }
  return undefined;
}

function leastIn(group: Group, most: Found, compose: Compose): Found {
  let found = most;
  let [low, high] = [0, group.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const pressure = group[middle] ?? most.pressure;
    const segments = compose(pressure);
    if (segments) [low, found] = [middle, { pressure, segments, next: undefined }];
    else high = middle - 1;
  }
  return { ...found, next: group[low + 1] };
}

function leastView(
  source: ViewSource,
  { maxTokens, newest, overflow }: ViewBudget,
  { pieces, placed, most }: Readonly<{ pieces: Pieces; placed: Placed; most: number }>,
): ComposedView {
  const pressure = mostPressure(maxTokens, newest);
  const all = layOut(source, placed, { pieces, pressure, most: Infinity }) ?? [];
  const least = leastSegments(all, source, pieces);
  const units = unitsIn(least);
  if (units <= most) return fitting(withRest(least, source, { pieces, left: most - units }));
  if (overflow === 'refuse') return { segments: least, units, fits: false };
  return fitting(referencesOnly(least, pieces, most));
}

function fitting(segments: readonly Segment[]): ComposedView {
  return { segments, units: unitsIn(segments), fits: true };
}
