import { type JsonValue } from '#event-sourcing';

import { type RecordedContextEvent, type RecordedOf, authorOf } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { type RunFacts, maxPreviousSteps } from './run.facts.js';
import { findRun, runInputKey, runKey, runStepKey, stateOf } from './run.item.js';
import { type RunMoment, isImported, withClock } from './run-clock.js';
import { idleStep } from './step.facts.js';

type RunEvents =
  | ('RunStarted' | 'RunPaused' | 'RunResumed')
  | ('RunCancelRequested' | 'RunCancelled' | 'RunCompleted' | 'RunFailed');

/** Events of unknown runs have no effect; a filtered stream may lack the start of a run. */
export const runFolds: EventFolds<RunEvents> = {
  /** A new run replaces the previous one, step by step. */
  RunStarted: {
    touches: ({ data }) => [runKey, runInputKey, ...data.steps.map(runStepKey)],
    fold: (event) => [
      { ...runKey, state: stateOf(startedRun(event)), body: undefined },
      { ...runInputKey, state: {}, body: event.data.input },
      ...event.data.steps.map((stepId) => ({
        ...runStepKey(stepId),
        state: stateOf(idleStep(event.data.runId)),
        body: undefined,
      })),
    ],
  },
  RunPaused: ofRun((run, { data: { reason = null } }) => ({ ...run, status: 'paused', reason })),
  RunResumed: ofRun((run, event) => ({
    ...run,
    status: 'running',
    reason: null,
    epoch: epochIn(event),
  })),
  RunCancelRequested: ofRun((run, { data: { deadline, reason = null } }) => ({
    ...run,
    status: 'cancelling',
    cancelDeadline: deadline,
    reason,
  })),
  RunCancelled: ofRun((run, { data }) => ({
    ...endedRun(run, data.at),
    status: 'cancelled',
    reason: data.reason ?? run.reason,
  })),
  RunCompleted: ofRun(
    (run, { data, version }) => ({
      ...endedRun(run, data.at),
      status: data.outcome,
      lastOutput: data.outputOf ?? null,
      outputVersion: data.output === undefined ? null : version,
    }),
    ({ data }) => data.output,
  ),
  RunFailed: ofRun((run, { data: { at, reason, guard = null, stepId, attempts = null } }) => ({
    ...endedRun(run, at),
    status: 'failed',
    reason,
    guard,
    failedStep: stepId === undefined ? null : { stepId, attempts },
  })),
};

type LaterRunEvents = Exclude<RunEvents, 'RunStarted'>;

function ofRun<Type extends LaterRunEvents>(
  change: (run: RunFacts, event: RecordedOf<Type>) => RunFacts,
  bodyOf: (event: RecordedOf<Type>) => JsonValue | undefined = () => undefined,
) {
  return {
    touches: (): readonly ItemKey[] => [runKey],
    fold: (event: RecordedOf<Type>, current: ItemLookup): readonly ItemChange[] => {
      const { runId, ...moment } = runMomentOf(event);
      const run = findRun(current);
      if (run?.runId !== runId) return [];
      const state = stateOf(change(withClock(run, moment), event));
      return [{ ...runKey, state, body: bodyOf(event) }];
    },
  };
}

/** The run and the time of an event; all these events have them. */
function runMomentOf({
  data,
  origin,
}: RecordedContextEvent): RunMoment & Readonly<{ runId: string }> {
  const { runId, at } = data as Readonly<{ runId: string; at: string }>;
  return { runId, at, origin };
}

function startedRun(event: RecordedOf<'RunStarted'>): RunFacts {
  const { runId, at, definition, interpreter, maxDurationMs } = event.data;
  return {
    runId,
    interpreter,
    epoch: epochIn(event),
    maxDurationMs,
    status: 'running',
    definitionId: definition.definitionId,
    definitionVersion: definition.version,
    hash: definition.hash,
    startedAt: at,
    startedBy: authorOf(event),
    startedVersion: event.version,
    endedAt: null,
    iterations: 0,
    errors: 0,
    events: 1,
    active: [],
    working: 0,
    asking: 0,
    clockAt: at,
    activeMs: 0,
    expiries: {},
    previousSteps: [],
    lastOutput: null,
    cancelDeadline: null,
    reason: null,
    guard: null,
    failedStep: null,
    outputVersion: null,
  };
}

/** Null for imported events: an imported run belongs to the store that exported it. */
function epochIn(event: RecordedOf<'RunStarted' | 'RunResumed'>): string | null {
  return isImported(event) ? null : event.data.epoch;
}

function endedRun(run: RunFacts, at: string): RunFacts {
  return { ...run, endedAt: at, active: [], working: 0, asking: 0, expiries: {} };
}

/** The last ended steps, with one more. */
export function withEndedStep({ previousSteps }: RunFacts, stepId: string): readonly string[] {
  return [...previousSteps, stepId].slice(-maxPreviousSteps);
}
