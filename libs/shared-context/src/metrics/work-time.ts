import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type Item, type ItemLookup } from '../item.js';
import { member } from '../json.js';
import { creationIn, creationKey } from '../life/life.fold.js';
import { phaseStatus } from '../phases/phase.item.js';
import { millisecondsBetween } from '../time-span.js';
import { type BaselineCounters } from './baseline.item.js';
import { ofKind, rounded } from './work-figures.js';

const hour = 3_600_000;

type TimeFacts = Readonly<{ taken: BaselineCounters; until: string; current: ItemLookup }>;

/** Hours the phases and the whole took, until the newest event, and how that compares with what was estimated. */
export function measureTime(
  items: readonly Item[],
  { taken, until, current }: TimeFacts,
): JsonObject {
  const phases = hoursByPhase(items, taken, until);
  const createdAt = current(creationKey.kind, creationKey.key)?.state['createdAt'];
  const total = (taken.totalTimeHours ?? 0) + millisecondsBetween(createdAt, until) / hour;
  const { estimates = {} } = creationIn(current);
  return {
    timePerPhase: Object.fromEntries(phases.map(([phase, spent]) => [phase, rounded(spent)])),
    bottleneckPhase: longest(phases),
    totalTimeHours: rounded(total),
    estimates,
    estimatedVsActualTime: deviation(estimatedHours(estimates, items), total),
  };
}

type PhaseHours = readonly [phase: string, hours: number];

/** By name; what still runs counts as far as it has come. */
function hoursByPhase(
  items: readonly Item[],
  { timePerPhase = {} }: BaselineCounters,
  until: string,
): readonly PhaseHours[] {
  const hours = new Map(
    Object.entries(timePerPhase).map(([phase, spent]) => [phase, Number(spent)]),
  );
  for (const item of ofKind('phase', items))
    hours.set(item.key, (hours.get(item.key) ?? 0) + spentIn(item, until) / hour);
  return [...hours].toSorted(([left], [right]) => (left < right ? -1 : 1));
}

function spentIn(item: Item, until: string): number {
  const { spent, startedAt } = item.state;
  const running = phaseStatus(item) === 'started' ? millisecondsBetween(startedAt, until) : 0;
  return Number(spent ?? 0) + running;
}

function longest(phases: readonly PhaseHours[]): string | null {
  const [phase] = phases.reduce<readonly [string | null, number]>(
    (most, one) => (one[1] > most[1] ? one : most),
    [null, 0],
  );
  return phase;
}

/** The hours stated when the context was created, or else those of its tasks together. */
function estimatedHours(estimates: JsonObject, items: readonly Item[]): number {
  const stated = numberIn(estimates, 'hours');
  if (stated > 0) return stated;
  return ofKind('task', items).reduce((total, { body }) => total + numberIn(body, 'estimate'), 0);
}

/** As `+15%`: how much longer it has taken; null if nothing was estimated. */
function deviation(estimated: number, actual: number): string | null {
  const percent = Math.round((actual / estimated - 1) * 100);
  if (estimated <= 0 || !Number.isFinite(percent)) return null;
  return `${percent < 0 ? '' : '+'}${percent}%`;
}

function numberIn(object: JsonValue | undefined, name: string): number {
  const value = isJsonObject(object) ? member(object, name) : undefined;
  return typeof value === 'number' ? value : 0;
}
