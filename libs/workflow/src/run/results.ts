import { type JsonObject, type JsonValue } from '#event-sourcing';
import {
  type StepResult,
  frozenOutputsKey,
  isSuccess,
  outputAt,
  stepOutputKey,
} from '#shared-context';

import { chainOf } from './branches-of.js';
import { type RunDraft } from './run-draft.js';

/** The step that reads; undefined for the output of a run. */
export type Reader = string | undefined;

/**
 * The result of a step for a reader: the newest result, unless both are in different branches of a parallel step. Then
 * it is the result from before that step began.
 */
export function resultFor(draft: RunDraft, reader: Reader, stepId: string): StepResult | undefined {
  const { results } = draft.step(stepId);
  const until = beginningBetween(draft, reader, stepId);
  const result = results.findLast(({ version }) => version <= until);
  return result && visibleResult(draft, stepId, result);
}

/**
 * A hidden result is never replaced by an older one. The result of a parallel step is hidden if any part of it is
 * hidden.
 */
function visibleResult(
  draft: RunDraft,
  stepId: string,
  result: StepResult,
): StepResult | undefined {
  const { visibility } = draft;
  if (!visibility) return result;
  const visible = visibility.result(stepId, result);
  const areVisible = childrenOf(draft, stepId).every((child) => {
    const within = resultWithin(draft, child, result.path);
    return !within || visibleResult(draft, child, within);
  });
  return areVisible ? visible : undefined;
}

/** The version at which the outermost parallel step began that has the two in different branches. */
function beginningBetween(draft: RunDraft, reader: Reader, stepId: string): number {
  if (reader === undefined) return Infinity;
  const other = chainOf(draft.workflow, stepId);
  const own = chainOf(draft.workflow, reader);
  const apart = own.find(({ entry }, level) => other[level]?.entry !== entry);
  const sibling = apart && other[own.indexOf(apart)];
  if (!sibling || sibling.parallel !== apart.parallel) return Infinity;
  return beginningOf(draft, apart.parallel);
}

function beginningOf(draft: RunDraft, parallel: string | undefined): number {
  if (parallel !== undefined) return draft.step(parallel).startedVersion;
  return draft.workflow.isParallel ? draft.run.startedVersion : Infinity;
}

/** The value of `context.<step>`; undefined if the visit has no value. */
export function valueOf(
  draft: RunDraft,
  stepId: string,
  result: StepResult,
): JsonValue | undefined {
  const { type } = draft.definitionOf(stepId);
  if (result.outcome === 'skipped' || result.outcome === 'cancelled') return undefined;
  if (type === 'parallel') return parallelValue(draft, stepId, result);
  if (result.outcome === 'failed') return undefined;
  if (result.hasOutput) return outputOf(draft, stepId, result.version);
  if (type === 'condition') return { result: result.holds === true };
  const comment = result.comment === undefined ? {} : { comment: result.comment };
  return { approved: result.outcome === 'approved', ...comment };
}

function outputOf(draft: RunDraft, stepId: string, version: number): JsonValue {
  const [newest, frozen] = [stepOutputKey(stepId), frozenOutputsKey(stepId)];
  const items = {
    newest: draft.lookup(newest.kind, newest.key),
    frozen: draft.lookup(frozen.kind, frozen.key),
  };
  return outputAt(items, version);
}

/** Computed from the steps within it, with their results in that visit of the parallel step. */
function parallelValue(draft: RunDraft, stepId: string, { path, outcome }: StepResult): JsonObject {
  return {
    success: outcome === 'completed',
    data: childrenOf(draft, stepId).map((child) => entryOf(draft, child, path)),
  };
}

function childrenOf(draft: RunDraft, stepId: string): readonly string[] {
  const step = draft.definitionOf(stepId);
  return step.type === 'parallel' ? step.children.steps : [];
}

/** The newest result of a step within this visit of its parallel step. */
function resultWithin(draft: RunDraft, stepId: string, within: string): StepResult | undefined {
  return draft.step(stepId).results.findLast((each) => each.within === within);
}

function entryOf(draft: RunDraft, stepId: string, within: string): JsonObject {
  const found = resultWithin(draft, stepId, within);
  const result = found && visibleResult(draft, stepId, found);
  if (!result) return { stepId, status: 'skipped', result: null, error: null };
  const isSettled = result.outcome !== 'skipped' && result.outcome !== 'cancelled';
  const status = isSuccess(result) ? 'fulfilled' : isSettled ? 'rejected' : 'skipped';
  return {
    stepId,
    status,
    result: valueOf(draft, stepId, result) ?? null,
    error: result.error,
  };
}

/** The value of `results.<step>`: the outcome of its visit, with the fields of the original specification. */
export function outcomeOf(draft: RunDraft, stepId: string, result: StepResult): JsonObject {
  const { outcome, error, attempts, visit, startedAt, endedAt } = result;
  const started = startedAt ?? endedAt;
  return {
    stepId,
    success: isSuccess(result),
    status: outcome,
    data: valueOf(draft, stepId, result) ?? null,
    error,
    attempts,
    visit,
    startTime: started,
    endTime: endedAt,
    duration: Date.parse(endedAt) - Date.parse(started),
  };
}
