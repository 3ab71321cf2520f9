import { type Tokenizer } from '../tokens/tokenizer.js';
import { type ViewSource, layOut, placeEntries } from './layout.js';
import { leastSegments, referencesOnly } from './least-view.js';
import { type Memo, Pieces, noMemo } from './pieces.js';
import {
  type Group,
  type Pressure,
  allPressures,
  calmPressure,
  settledPressures,
} from './pressure.js';
import { type Segment, unitsIn } from './segment.js';

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

type Compose = (pressure: Pressure) => readonly Segment[];

/** Parts of the budget: left for what is to come before the next quantum is full, and the steps what holds is rounded to. */
const headroomPart = 4;
const standingPart = 16;

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
  const { tokenizer, maxTokens, newest } = budget;
  const pieces = new Pieces(tokenizer, memo);
  const most = tokenizer.budgetUnits(maxTokens);
  const placed = placeEntries(source.entries, pieces, maxTokens);
  const compose: Compose = (pressure) => layOut(source, placed, { pieces, pressure });
  if (isWithin(source, pieces, most)) return fitting(compose(calmPressure(maxTokens, newest)));
  const settled = settledPressure(source, budget, pieces);
  const stable = settled && composeStable(settled, compose, most);
  if (stable) return fitting(stable);
  const { segments } = findFitting(allPressures(maxTokens, newest), compose, most);
  if (unitsIn(segments) <= most) return fitting(segments);
  return leastView(leastSegments(segments, source, pieces), budget, { pieces, most });
}

/** Whether everything fits whole; what is beyond is not looked at. */
function isWithin(source: ViewSource, pieces: Pieces, most: number): boolean {
  let units = pieces.units(source.header);
  for (const { whole } of source.standing) units += pieces.units(whole);
  for (let at = source.entries.length - 1; at >= 0 && units <= most; at--) {
    const entry = source.entries[at];
    if (entry) units += pieces.units(pieces.wholeOf(entry));
  }
  return units <= most;
}

/** What is settled as it was, and of what is recent as much as fits. */
function composeStable(
  settled: Pressure,
  compose: Compose,
  most: number,
): readonly Segment[] | undefined {
  for (const recent of ['whole', 'digest', 'line'] as const) {
    const segments = compose({ ...settled, recent });
    if (unitsIn(segments) <= most) return segments;
  }
  return undefined;
}

/** The least pressure under which what is settled leaves room for what is to come; undefined where none does. */
function settledPressure(
  source: ViewSource,
  { maxTokens, newest, tokenizer }: ViewBudget,
  pieces: Pieces,
): Pressure | undefined {
  const most = tokenizer.budgetUnits(maxTokens);
  const placed = placeEntries(source.entries, pieces, maxTokens).filter(
    ({ isRecent }) => !isRecent,
  );
  const rounding = most / standingPart;
  const standing = unitsIn(
    layOut({ ...source, header: '' }, [], { pieces, pressure: calmPressure(maxTokens, newest) }),
  );
  const held = Math.ceil(standing / rounding) * rounding;
  const compose: Compose = (pressure) =>
    layOut({ header: source.header, standing: [] }, placed, { pieces, pressure });
  const room = most - held - most / headroomPart;
  const { pressure, segments } = findFitting(settledPressures(maxTokens, newest), compose, room);
  return unitsIn(segments) <= room ? pressure : undefined;
}

type Found = Readonly<{ pressure: Pressure; segments: readonly Segment[] }>;

/** Under the least pressure of the first group of which any fits; of the last group under the most, where none does. */
function findFitting(groups: readonly Group[], compose: Compose, most: number): Found {
  let found: Found | undefined;
  for (const group of groups) {
    found = { pressure: group[0], segments: compose(group[0]) };
    if (unitsIn(found.segments) > most) continue;
    let [low, high] = [0, group.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const pressure = group[middle] ?? group[0];
      const segments = compose(pressure);
      if (unitsIn(segments) <= most) [low, found] = [middle, { pressure, segments }];
      else high = middle - 1;
    }
    return found;
  }
  if (!found) throw new RangeError('there is at least one group of pressures');
  return found;
}

function leastView(
  least: readonly [Segment, ...Segment[]],
  { overflow }: ViewBudget,
  { pieces, most }: Readonly<{ pieces: Pieces; most: number }>,
): ComposedView {
  const units = unitsIn(least);
  if (units <= most) return fitting(least);
  if (overflow === 'refuse') return { segments: least, units, fits: false };
  return fitting(referencesOnly(least, pieces, most));
}

function fitting(segments: readonly Segment[]): ComposedView {
  return { segments, units: unitsIn(segments), fits: true };
}
