import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type Item, type ItemLookup } from '../item.js';
import { member } from '../json.js';
import { creationIn, creationKey } from '../life/life.fold.js';
import { phaseStatus } from '../phases/phase.item.js';
import { millisecondsBetween } from '../time-span.js';
import { type BaselineCounters } from './baseline.item.js';
import { ofKind, rounded } from './work-figures.js';

const hour = 3_600_000;

type TimeFacts = Readonly<{ baseline: BaselineCounters; until: string; current: ItemLookup }>;

/** The hours of the phases and of the whole work until the newest event, compared with the estimates. */
export function measureTime(
  items: readonly Item[],
  { baseline, until, current }: TimeFacts,
): JsonObject {
  const phases = hoursByPhase(items, baseline, until);
  const createdAt = current(creationKey.kind, creationKey.key)?.state['createdAt'];
  const total = (baseline.totalTimeHours ?? 0) + millisecondsBetween(createdAt, until) / hour;
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

/** Sorted by name; a running phase counts until the newest event. */
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
    (longestSoFar, one) => (one[1] > longestSoFar[1] ? one : longestSoFar),
    [null, 0],
  );
  return phase;
}

/** The estimate that was given when the context was created, or else the sum of the estimates of its tasks. */
function estimatedHours(estimates: JsonObject, items: readonly Item[]): number {
  const stated = numberIn(estimates, 'hours');
  if (stated > 0) return stated;
  return ofKind('task', items).reduce((total, { body }) => total + numberIn(body, 'estimate'), 0);
}

/** The deviation from the estimate, such as `+15%`; null without an estimate. */
function deviation(estimated: number, actual: number): string | null {
  const percent = Math.round((actual / estimated - 1) * 100);
  if (estimated <= 0 || !Number.isFinite(percent)) return null;
  return `${percent < 0 ? '' : '+'}${percent}%`;
}

function numberIn(object: JsonValue | undefined, name: string): number {
  const value = isJsonObject(object) ? member(object, name) : undefined;
  return typeof value === 'number' ? value : 0;
}
