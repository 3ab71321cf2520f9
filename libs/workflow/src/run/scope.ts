import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Expression } from '#expressions';
import { derivedFacts, derivedKey, runInputKey } from '#shared-context';

import { type Names, namesRead } from './names-read.js';
import { type Reader, outcomeOf, resultFor, valueOf } from './results.js';
import { type RunDraft } from './run-draft.js';

/** The scope of an expression: only values that it names are looked up. */
export function scopeOf(draft: RunDraft, reader: Reader, expression: Expression): JsonObject {
  const { steps, derived } = namesRead(expression);
  const isRead = (name: string) => steps === 'all' || steps.has(name);
  return {
    input: inputOf(draft),
    context: contextFor(draft, reader, isRead),
    results: resultsFor(draft, reader, isRead),
    step: reader === undefined ? null : stepScope(draft, reader),
    metadata: metadataOf(draft, reader),
    derived: derivedFor(draft, reader, derived),
  };
}

export function inputOf(draft: RunDraft): JsonValue {
  return draft.bodyOf(runInputKey.kind, runInputKey.key) ?? null;
}

/** Values by step id and by alias, after the members of the initial context. */
export function contextFor(
  draft: RunDraft,
  reader: Reader,
  isRead: (name: string) => boolean = () => true,
): JsonObject {
  const { initialContext, steps, aliases } = draft.workflow;
  const names = [
    ...Object.keys(steps).map((stepId) => [stepId, stepId] as const),
    ...Object.entries(aliases),
  ].filter(([name]) => isRead(name));
  const values = names.flatMap(([name, stepId]) => {
    const result = resultFor(draft, reader, stepId);
    const value = result && valueOf(draft, stepId, result);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...Object.entries(initialContext), ...values]);
}

function resultsFor(
  draft: RunDraft,
  reader: Reader,
  isRead: (name: string) => boolean,
): JsonObject {
  const stepIds = Object.keys(draft.workflow.steps).filter(isRead);
  return Object.fromEntries(
    stepIds.flatMap((stepId) => {
      const result = resultFor(draft, reader, stepId);
      return result ? [[stepId, outcomeOf(draft, stepId, result)] as const] : [];
    }),
  );
}

/**
 * Values that transformations have derived, by path. A branch of a parallel step reads the values from before the step
 * began, since newer ones may come from other branches.
 */
function derivedFor(draft: RunDraft, reader: Reader, names: Names): JsonObject {
  if (names === 'all') return {};
  const until = outermostBeginning(draft, reader);
  const found = [...names].flatMap((path) => {
    const { kind, key } = derivedKey(path);
    const item = draft.lookup(kind, key);
    if (!item || item.fromVersion > until) return [];
    return [[path, derivedFacts(item).value] as const];
  });
  return Object.fromEntries(found);
}

function outermostBeginning(draft: RunDraft, reader: Reader): number {
  if (reader === undefined) return Infinity;
  if (draft.workflow.isParallel) return draft.run.startedVersion;
  return draft.step(reader).frozen[0] ?? Infinity;
}

function stepScope(draft: RunDraft, stepId: string): JsonObject {
  const { name = null, type, parameters } = draft.definitionOf(stepId);
  return { id: stepId, name, type, parameters, visit: draft.step(stepId).visit };
}

function metadataOf({ run }: RunDraft, reader: Reader): JsonObject {
  return {
    currentStep: reader ?? run.active.at(-1) ?? null,
    previousSteps: run.previousSteps,
    iterationCount: run.iterations,
    errorCount: run.errors,
  };
}
