import { type JsonObject, type JsonValue } from '#event-sourcing';

import { itemRef } from '../documents/item-ref.js';
import { defined } from '../json/defined.js';
import { JsonEntry } from '../json/json-entry.js';
import { type JsonPart } from '../json/json-part.js';
import { stages } from '../json/entry-order.js';
import { countedMetrics } from './sdd-schema.js';
import { type CountedHistory, type SddReading } from './sdd-reading.js';

const baseline = itemRef('baseline', '');
const order = [stages.current, 3] as const;
const maxHours = 1_000_000_000;
const stopped: ReadonlySet<unknown> = new Set(['tripped', 'open', 'triggered']);

/**
 * Imports the figures that the history does not explain as a baseline: its counters have the rest of `metrics` and
 * iterations, its history has the original `iteration_counts`, `circuit_breaker_status`, `phase_iterations` and
 * `metrics`.
 */
export function readFigures(reading: SddReading, counted: CountedHistory): void {
  const { draft, entry, updatedAt } = reading;
  const parts = ['iteration_counts', 'circuit_breaker_status', 'metrics'].flatMap((name) => {
    const part = entry.member(name);
    return part ? [[name, part] as const] : [];
  });
  const history: Record<string, JsonValue> = Object.fromEntries(
    parts.map(([name, part]) => [name, part.value()]),
  );
  if (Object.keys(counted.iterations).length > 0) history['phase_iterations'] = counted.iterations;
  if (Object.keys(history).length === 0) return;
  const [, place] = parts[0] ?? ['', entry.part];
  const counters = countersOf(reading, history, counted);
  const data = { counters, history };
  const origin = { timestamp: updatedAt };
  if (draft.plan(place, { item: baseline, type: 'BaselineImported', data, origin, order }))
    for (const [, part] of parts) draft.claim(part, [baseline]);
  tripBreakers(reading);
}

/** The counters without the numbers that the history explains. */
function countersOf(
  { draft, entry }: SddReading,
  history: Readonly<Record<string, JsonValue>>,
  counted: CountedHistory,
): JsonObject {
  const part = entry.member('metrics');
  const metrics = part?.isObject ? new JsonEntry(draft, part) : undefined;
  const explained: Readonly<Record<string, number>> = {
    total_tasks: counted.tasks,
    phases_completed: counted.phases,
    review_iterations: counted.reviews,
  };
  const stated = countedMetrics.flatMap(([name, counter]) => {
    const figure = metrics?.count(name) ?? otherwise(name, history) ?? 0;
    const rest = figure - (explained[name] ?? 0);
    return rest > 0 ? [[counter, rest] as const] : [];
  });
  const counters: Record<string, number> = Object.fromEntries(stated);
  const approved = approvedOf(metrics?.json('review_pass_rate'), counters, counted);
  return {
    ...counters,
    ...hoursIn(metrics?.json('total_time_hours')),
    ...(approved > 0 ? { approvedReviews: approved } : {}),
  };
}

function hoursIn(hours: JsonValue | undefined): JsonObject {
  const isTime = typeof hours === 'number' && hours >= 0 && hours <= maxHours;
  return isTime ? { totalTimeHours: hours } : {};
}

/** The iterations of all loops, if no metric states them. */
function otherwise(
  name: string,
  { iteration_counts: counts }: Readonly<Record<string, JsonValue>>,
) {
  if (name !== 'total_iterations' || typeof counts !== 'object' || counts === null)
    return undefined;
  return Object.values(counts).reduce<number>(
    (sum, count) => sum + (Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : 0),
    0,
  );
}

/** How many of the reviews that are not in the history were approvals, from the rate for all reviews. */
function approvedOf(
  rate: JsonValue | undefined,
  { reviewIterations: others = 0 }: Readonly<Record<string, number>>,
  { reviews, approvedReviews }: CountedHistory,
): number {
  if (typeof rate !== 'number') return 0;
  const approved = Math.round(rate * (reviews + others)) - approvedReviews;
  return Math.min(others, Math.max(0, approved));
}

/** A tripped breaker stops the work in the context too, until a person resets it. */
function tripBreakers({ draft, entry, updatedAt }: SddReading): void {
  for (const [subject, part] of entry.member('circuit_breaker_status')?.members() ?? [])
    if (isStopped(part))
      draft.plan(part, {
        item: itemRef('loop', subject),
        type: 'CircuitBreakerTripped',
        order,
        data: defined({ subject }),
        origin: { timestamp: updatedAt },
      });
}

function isStopped(part: JsonPart): boolean {
  return stopped.has(part.member('status')?.value());
}
