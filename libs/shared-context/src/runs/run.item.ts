import { type JsonObject } from '#event-sourcing';

import { type Item, type ItemKey, type ItemLookup } from '../item.js';
import { asJson } from '../json.js';
import { type RunFacts } from './run.facts.js';
import { type StepFacts } from './step.facts.js';

/** The newest run of a context. */
export const runKey: ItemKey = { kind: 'run', key: '' };
/** What the newest run was started with, by itself: no event after the first one changes it. */
export const runInputKey: ItemKey = { kind: 'run-input', key: '' };

/** Where the newest run is in one step of its definition. */
export function runStepKey(stepId: string): ItemKey {
  return { kind: 'run-step', key: stepId };
}

/** Outputs of a step that later ones have replaced while branches of a parallel step still read them, by their versions. */
export function frozenOutputsKey(stepId: string): ItemKey {
  return { kind: 'run-frozen', key: stepId };
}

export function findRun(current: ItemLookup): RunFacts | undefined {
  const item = current(runKey.kind, runKey.key);
  return item && runFacts(item);
}

/** Undefined for steps that the definition of the newest run does not have. */
export function findRunStep(stepId: string, current: ItemLookup): StepFacts | undefined {
  const { kind, key } = runStepKey(stepId);
  const item = current(kind, key);
  const facts = item && stepFacts(item);
  return facts && facts.runId === findRun(current)?.runId ? facts : undefined;
}

export function runFacts({ state }: Pick<Item, 'state'>): RunFacts {
  // Only the folds of runs write the state of these items.
  return state as unknown as RunFacts;
}

export function stepFacts({ state }: Pick<Item, 'state'>): StepFacts {
  // As above.
  return state as unknown as StepFacts;
}

/** The state of an item that holds these facts. */
export function stateOf(facts: RunFacts | StepFacts): JsonObject {
  return asJson(facts);
}
