import { z } from 'zod';

import { type JsonObject, type JsonValue } from '#event-sourcing';

import { memberPart } from '../document-part.js';
import { type Item, type ItemLookup } from '../item.js';
import { asJson, defined } from '../json.js';
import { shownVersion } from '../shown-version.js';
import { publicApprovalId } from './approval-id.js';
import { type RunFacts } from './run.facts.js';
import { findRun, findRunStep, runKey } from './run.item.js';
import { type StepFacts, type StepResult } from './step.facts.js';

export const runPart = memberPart('run', {
  schema: z.looseObject({}).nullable().meta({
    description:
      'The newest run of a workflow, as `GET .../run` returns it; null if there is none, and for audiences other than `all`',
  }),
  searched: null,
  kinds: ['run'],
  states: ['run-step'],
  render: (items, { facts: { contextId }, current }) => renderRun(contextId, items, current),
});

/** The newest run of a context, with its active steps and the results of the others. Null if there is none. */
export function renderRun(
  contextId: string,
  items: readonly Item[],
  current: ItemLookup,
): JsonValue {
  const run = findRun(current);
  if (!run) return null;
  const steps = items
    .filter(({ kind }) => kind === 'run-step')
    .flatMap(({ key }) => {
      const step = findRunStep(key, current);
      return step ? [{ stepId: key, step }] : [];
    })
    .toSorted((left, right) => left.step.startedVersion - right.step.startedVersion);
  return {
    ...renderRunFacts(run),
    output: current(runKey.kind, runKey.key)?.body ?? null,
    active: steps
      .filter(({ stepId }) => run.active.includes(stepId))
      .map((active) => renderActive(contextId, active)),
    results: steps.flatMap(({ stepId, step }) => {
      const result = step.results.at(-1);
      return result ? [renderResult(stepId, result)] : [];
    }),
  };
}

function renderRunFacts(run: RunFacts): JsonObject {
  const { runId, definitionId, definitionVersion: version, hash, status, reason } = run;
  const { startedAt, startedBy, endedAt, iterations, errors, activeMs, epoch, guard } = run;
  return asJson({
    runId,
    definition: { definitionId, version, hash },
    status,
    reason,
    guard,
    success: endedAt === null ? null : status === 'completed',
    startedAt,
    startedBy,
    endedAt,
    activeMs,
    epoch,
    failedStep: run.failedStep,
    metadata: {
      currentStep: run.active[0] ?? null,
      previousSteps: run.previousSteps,
      iterationCount: iterations,
      errorCount: errors,
    },
    outputOf: run.lastOutput && {
      ...run.lastOutput,
      version: shownVersion(run.lastOutput.version),
    },
  });
}

/** An active step: its attempt, its worker or approval, and its times. */
function renderActive(
  contextId: string,
  { stepId, step }: Readonly<{ stepId: string; step: StepFacts }>,
): JsonObject {
  const { status, path, visit, attempt, agent, scheduledAt, startedAt, approval } = step;
  const worker = step.worker && (step.worker.agent ?? step.worker.principal);
  return asJson(
    defined({
      stepId,
      path,
      visit,
      attempt,
      status,
      agent,
      worker,
      scheduledAt,
      startedAt,
      dueAt: step.dueAt,
      deadline: step.deadline,
      approval: approval && {
        ...approval,
        approvalId: publicApprovalId(contextId, approval.approvalId),
      },
    }),
  );
}

/** A result without its data; `version` is the version of the event with the data. */
function renderResult(stepId: string, result: StepResult): JsonObject {
  const { path, visit, attempts, outcome, error, startedAt, endedAt, version } = result;
  const startTime = startedAt ?? endedAt;
  return {
    stepId,
    path,
    visit,
    attempts,
    outcome,
    success: isSuccess(result),
    error,
    startTime: startTime,
    endTime: endedAt,
    version: shownVersion(version),
    duration: Date.parse(endedAt) - Date.parse(startTime),
  };
}

/** Whether a step succeeded. A rejected approval is neither a failure nor a success. */
export function isSuccess({ outcome }: StepResult): boolean {
  return outcome === 'completed' || outcome === 'approved';
}
