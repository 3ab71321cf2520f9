import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type Item } from '../item.js';
import { member } from '../json.js';
import { type Activity } from '../outcome/activity.js';
import { renderCurrentState } from '../outcome/current-state.js';
import { renderStepOutput } from '../steps/step.document.js';
import { shownVersion } from '../shown-version.js';
import { type ChangedItem } from './changed-item.js';

/** A rendered value before and after; null if it did not exist. */
export type Replacement = Readonly<{ before: JsonObject | null; after: JsonObject | null }>;

export type StepDifference = Readonly<{
  outputsAdded: readonly JsonObject[];
  /** The latest output before, and the latest after. */
  outputsReplaced: readonly (Replacement & Readonly<{ stepId: string }>)[];
  /** Outputs that no longer exist, as they were before. */
  outputsWithdrawn: readonly JsonObject[];
  /** Changes of the output to which a name of an agent refers. */
  namedOutputsChanged: readonly (Replacement & Readonly<{ agentId: JsonValue; name: JsonValue }>)[];
  /** `failure`: the newest failure, if it is new; else null. */
  stepsChanged: readonly (Replacement & Readonly<{ stepId: string; failure: JsonObject | null }>)[];
}>;

export function compareSteps(changed: readonly ChangedItem[]): StepDifference {
  const outputs = changed.filter(({ kind }) => kind === 'step-output');
  return {
    outputsAdded: outputs.flatMap(({ before, after }) =>
      after && !before ? [renderStepOutput(after)] : [],
    ),
    outputsReplaced: outputs.flatMap(({ key, before, after }) =>
      before && after
        ? [{ stepId: key, before: renderStepOutput(before), after: renderStepOutput(after) }]
        : [],
    ),
    outputsWithdrawn: outputs.flatMap(({ before, after }) =>
      before && !after ? [renderStepOutput(before)] : [],
    ),
    namedOutputsChanged: changed.filter(({ kind }) => kind === 'output').map(namedOutput),
    stepsChanged: changedSteps(changed),
  };
}

/** The current state as the document renders it, before and after; null if it is equal. */
export function compareCurrentState(before: Activity, after: Activity): Replacement | null {
  const [was, is] = [renderCurrentState(before), renderCurrentState(after)];
  return JSON.stringify(was) === JSON.stringify(is) ? null : { before: was, after: is };
}

function namedOutput({ before, after }: ChangedItem) {
  const { agentId = null, name = null } = (after ?? before)?.state ?? {};
  return { agentId, name, before: placeOf(before), after: placeOf(after) };
}

function placeOf(item: Item | undefined): JsonObject | null {
  return item
    ? { stepId: item.state['stepId'] ?? null, version: shownVersion(Number(item.state['version'])) }
    : null;
}

/** The status and the failure of a step are two items; the difference reports them as one change. */
function changedSteps(changed: readonly ChangedItem[]): StepDifference['stepsChanged'] {
  const failures = new Map(
    changed.flatMap(({ kind, key, after }) =>
      kind === 'step-failure' && after ? [[key, failureOf(after)] as const] : [],
    ),
  );
  return changed
    .filter(({ kind }) => kind === 'step')
    .map(({ key, before, after }) => ({
      stepId: key,
      before: statusOf(before),
      after: statusOf(after),
      failure: failures.get(key) ?? null,
    }));
}

function statusOf(step: Item | undefined): JsonObject | null {
  if (!step) return null;
  const { status = null, agentId = null, timestamp = null } = step.state;
  return { status, agentId, timestamp };
}

function failureOf({ body }: Item): JsonObject {
  const reported = isJsonObject(body) ? body : {};
  return { reason: member(reported, 'reason') ?? null, tried: member(reported, 'tried') ?? null };
}
