import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { type ContextToWrite } from '../documents/document-format.js';
import { countedMetrics, derivedMetrics } from './sdd-schema.js';

type Baseline = ContextToWrite['baseline'];

/** Figures of a context in the form of a context.json: those that were taken over and what has happened since. */
type SddFigures = Readonly<{
  iterationCounts: Readonly<Record<string, number>>;
  breakers: Readonly<Record<string, JsonObject>>;
  metrics: JsonObject;
}>;

export function figuresOf(document: ContextDocument, baseline: Baseline): SddFigures {
  const taken = objectIn(baseline?.history ?? null);
  return {
    iterationCounts: countsOf(document, objectIn(taken['iteration_counts'])),
    breakers: breakersOf(document, objectIn(taken['circuit_breaker_status'])),
    metrics: metricsOf(document, objectIn(taken['metrics'])),
  };
}

/** How often a phase had run before it was taken over. */
export function iterationsBefore(baseline: Baseline): (phase: string) => number {
  const counts = objectIn(objectIn(baseline?.history ?? null)['phase_iterations']);
  return (phase) => (Object.hasOwn(counts, phase) ? numberOr(counts[phase], 0) : 0);
}

function countsOf({ iterationCounts }: ContextDocument, taken: JsonObject) {
  const counts = new Map(
    Object.entries(taken).flatMap(([subject, count]) =>
      typeof count === 'number' ? [[subject, count] as const] : [],
    ),
  );
  for (const [subject, count] of Object.entries(iterationCounts))
    if (count > 0 || !counts.has(subject)) counts.set(subject, (counts.get(subject) ?? 0) + count);
  return Object.fromEntries(counts);
}

type Breaker = ContextDocument['circuitBreakers'][string];

function breakersOf({ circuitBreakers }: ContextDocument, taken: JsonObject) {
  const breakers = new Map(
    Object.entries(taken).map(([subject, breaker]) => [subject, objectIn(breaker)] as const),
  );
  for (const [subject, here] of Object.entries(circuitBreakers))
    breakers.set(subject, breakerOf(here, breakers.get(subject)));
  return Object.fromEntries(breakers);
}

/** A person who resets a breaker lets it count from 0 again; until then it goes on from what was taken over. */
function breakerOf(here: Breaker, taken: JsonObject | undefined): JsonObject {
  const { current, max, status } = here;
  const isReset = here['agentId'] !== undefined && status !== 'tripped';
  if (!taken || isReset) return { current, max, status };
  const [before, limit] = [numberOr(taken['current'], 0), numberOr(taken['max'], max)];
  const counted = { ...taken, current: before + current, max: limit };
  if (status === 'tripped')
    return { ...counted, status: current > 0 ? status : (taken['status'] ?? status) };
  return { ...counted, status: before + current >= limit ? 'warning' : 'ok' };
}

/** Figures here take the place of those taken over, which they contain. */
function metricsOf({ metrics }: ContextDocument, taken: JsonObject): JsonObject {
  const here = [...countedMetrics, ...derivedMetrics].flatMap(([name, metric]) => {
    const value = metrics[metric];
    return typeof value === 'number' || typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { ...taken, ...Object.fromEntries(here) };
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function numberOr(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
