import { type JsonObject } from '#event-sourcing';

import { type Item, type ItemKey, type ItemLookup } from '../item.js';
import { asJson } from '../json.js';
import { type RunFacts } from './run.facts.js';
import { type StepFacts } from './step.facts.js';

/** The newest run of a context. */
export const runKey: ItemKey = { kind: 'run', key: '' };
/** The input of the newest run. It is a separate item, as only the first event of a run changes it. */
export const runInputKey: ItemKey = { kind: 'run-input', key: '' };

/** The state of one step in the newest run. */
export function runStepKey(stepId: string): ItemKey {
  return { kind: 'run-step', key: stepId };
}

/** Replacement outputs of a step that branches of a parallel step still read, by version. */
export function frozenOutputsKey(stepId: string): ItemKey {
  return { kind: 'run-frozen', key: stepId };
}

export function findRun(current: ItemLookup): RunFacts | undefined {
  const item = current(runKey.kind, runKey.key);
  return item && runFacts(item);
}

/** Undefined if the definition of the newest run has no such step. */
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
  // Only the folds of runs write the state of these items.
  return state as unknown as StepFacts;
}

/** The facts as the state of an item. */
export function stateOf(facts: RunFacts | StepFacts): JsonObject {
  return asJson(facts);
}
