import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { type ContextToWrite } from '../documents/document-format.js';
import { countedMetrics, derivedMetrics } from './sdd-schema.js';

type Baseline = ContextToWrite['baseline'];

/** The numbers of a context in the format of a context.json: the imported ones with later changes. */
type SddFigures = Readonly<{
  iterationCounts: Readonly<Record<string, number>>;
  breakers: Readonly<Record<string, JsonObject>>;
  metrics: JsonObject;
}>;

export function figuresOf(document: ContextDocument, baseline: Baseline): SddFigures {
  const baselineHistory = objectIn(baseline?.history ?? null);
  return {
    iterationCounts: countsOf(document, objectIn(baselineHistory['iteration_counts'])),
    breakers: breakersOf(document, objectIn(baselineHistory['circuit_breaker_status'])),
    metrics: metricsOf(document, objectIn(baselineHistory['metrics'])),
  };
}

/** The iterations of a phase before the import. */
export function iterationsBefore(baseline: Baseline): (phase: string) => number {
  const counts = objectIn(objectIn(baseline?.history ?? null)['phase_iterations']);
  return (phase) => (Object.hasOwn(counts, phase) ? numberOr(counts[phase], 0) : 0);
}

function countsOf({ iterationCounts }: ContextDocument, earlier: JsonObject) {
  const counts = new Map(
    Object.entries(earlier).flatMap(([subject, count]) =>
      typeof count === 'number' ? [[subject, count] as const] : [],
    ),
  );
  for (const [subject, count] of Object.entries(iterationCounts))
    if (count > 0 || !counts.has(subject)) counts.set(subject, (counts.get(subject) ?? 0) + count);
  return Object.fromEntries(counts);
}

type Breaker = ContextDocument['circuitBreakers'][string];

function breakersOf({ circuitBreakers }: ContextDocument, earlier: JsonObject) {
  const breakers = new Map(
    Object.entries(earlier).map(([subject, breaker]) => [subject, objectIn(breaker)] as const),
  );
  for (const [subject, here] of Object.entries(circuitBreakers))
    breakers.set(subject, breakerOf(here, breakers.get(subject)));
  return Object.fromEntries(breakers);
}

/** A breaker that a person has reset counts from 0 again; any other continues from the imported count. */
function breakerOf(breaker: Breaker, earlier: JsonObject | undefined): JsonObject {
  const { current, max, status } = breaker;
  const isReset = breaker['agentId'] !== undefined && status !== 'tripped';
  if (!earlier || isReset) return { current, max, status };
  const [before, limit] = [numberOr(earlier['current'], 0), numberOr(earlier['max'], max)];
  const counted = { ...earlier, current: before + current, max: limit };
  if (status === 'tripped')
    return { ...counted, status: current > 0 ? status : (earlier['status'] ?? status) };
  return { ...counted, status: before + current >= limit ? 'warning' : 'ok' };
}

/** Metrics of the context replace the imported ones, which they include. */
function metricsOf({ metrics }: ContextDocument, earlier: JsonObject): JsonObject {
  const here = [...countedMetrics, ...derivedMetrics].flatMap(([name, metric]) => {
    const value = metrics[metric];
    return typeof value === 'number' || typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { ...earlier, ...Object.fromEntries(here) };
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function numberOr(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
