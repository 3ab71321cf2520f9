import { quantaInBudget } from './distances.js';
import { type Compose, type FittingView, findFitting, leastIn } from './fitting-pressure.js';
import { type ViewSource, layOut, settledOnly } from './layout.js';
import { mentionsSegment } from './mentions-segment.js';
import { type Pieces } from './pieces.js';
import {
  type Group,
  type Pressure,
  between,
  settledPressures,
  withWiderOutputs,
} from './pressure.js';
import { type Segment, unitsIn } from './segment.js';
import { standingSegments } from './standing-segments.js';
import { type Placed, formTimeline } from './timeline.js';
import { type ViewBudget } from './view-budget.js';

/** What views are laid out with. */
export type Work = Readonly<{ pieces: Pieces; placed: Placed; most: number }>;

/** The part of the budget that what holds is rounded to. */
const standingPart = 16;
/** Room for the facts that only shortened entries mention. */
const mentionsShare = 0.2;
const mentionsMargin = 1.1;
/** How often the windows of what is settled are halved between two rungs of the ladder. */
const refinements = 4;

/** What is settled as it was, and of what is recent as much as fits. */
export function composeStable(
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
  const found = findFitting(groups, compose);
  if (!found) return undefined;
  const { classes, groups: rolledUp } = formTimeline(placed, found.pressure);
  const rolled = rolledUp.flatMap((group) => placed.index.tally(group, classes)?.tally ?? []);
  const closing = (told: readonly Segment[], units: number) =>
    mentionsSegment(told, placed, { pieces, units, rolled });
  const { pressure } = found;
  const { mentions } = settled;
  return layOut(source, placed, { pieces, pressure, most, mentions, closing }) ?? found.segments;
}

/** Settled outputs that are shown like recent ones. */
function newestOf({ pressure }: Settled): number {
  return pressure.kept;
}

type Settled = Readonly<{ pressure: Pressure; mentions: Segment | undefined }>;

/** The least pressure under which what is settled leaves room for what is to come; undefined if none does. */
function settle(
  source: ViewSource,
  { maxTokens, newest, tokenizer }: ViewBudget,
  { pieces, placed }: Pick<Work, 'pieces' | 'placed'>,
): Settled | undefined {
  const most = tokenizer.budgetUnits(maxTokens);
  const rounding = most / standingPart;
  const standing = standingSegments(source.standing, 'whole', pieces, most);
  if (!standing) return undefined;
  const reserved = Math.ceil(unitsIn(standing) / rounding) * rounding;
  const room = most - reserved - most / quantaInBudget;
  const bare = { ...source, standing: [] };
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

/** The settled entries that fit into the room, of which a part is reserved for mentions. */
function settledWithin(
  { pieces, placed, maxTokens, groups, lay }: Settling,
  room: number,
  reserved: number,
): Settled | undefined {
  const compose: Compose = (pressure) => lay(pressure, room - reserved);
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
function refined({ pressure, next }: FittingView, compose: Compose): Pressure {
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
