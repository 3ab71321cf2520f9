import { type RecordedContextEvent, type RecordedOf } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type Item, type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { frozenChange } from './frozen-outputs.js';
import { type RunMoment, withClock } from './run-clock.js';
import { type RunFacts } from './run.facts.js';
import { withEndedStep } from './run.fold.js';
import { findRun, findRunStep, frozenOutputsKey, runKey, runStepKey, stateOf } from './run.item.js';
import { type StepFacts, isOpen, isWorking, waitsForPeople } from './step.facts.js';
import * as to from './step-run.fold.js';

type StepEvents =
  | ('StepScheduled' | 'StepAttemptStarted' | 'StepAttemptFailed' | 'StepAttemptTimedOut')
  | ('StepRouted' | 'ApprovalRequested' | 'ApprovalDecided');

type StepPlace = RunMoment & Readonly<{ runId: string; stepId: string }>;

type StepChange = (step: StepFacts) => StepFacts;
type StepUpdate = Readonly<{
  change: StepChange;
  count: (run: RunFacts) => RunFacts;
  /** Changes of other steps. */
  others?: readonly (readonly [string, StepChange])[];
}>;

export const runStepFolds: EventFolds<StepEvents> = {
  StepScheduled: {
    touches: ({ data }) => [runKey, ...[data.stepId, ...namedSteps(data)].map(runStepKey)],
    fold: (event, current) => {
      const { parallel, from } = event.data;
      const context = {
        parallel: parallel === undefined ? undefined : findRunStep(parallel, current),
        from: from === undefined ? undefined : findRunStep(from, current),
      };
      const isVisit = findRunStep(event.data.stepId, current)?.visit !== event.data.visit;
      return stepChanges(placeOf(event), current, {
        change: (step) => to.scheduled(step, event, context),
        count: (run) => (isVisit ? { ...run, iterations: run.iterations + 1 } : run),
        // The first branch of a parallel step opens it.
        others: parallel === undefined ? [] : [[parallel, (step) => ({ ...step, status: 'open' })]],
      });
    },
  },
  StepAttemptStarted: ofStep((step, event) => to.attemptStarted(step, event)),
  StepAttemptFailed: ofStep((step, event) => to.attemptFailed(step, event)),
  StepAttemptTimedOut: ofStep((step, event) => to.attemptTimedOut(step, event)),
  StepRouted: ofStep(
    (step, event) => to.routed(step, event),
    (run, { data: { stepId, outcome, handled } }) => ({
      ...run,
      previousSteps: withEndedStep(run, stepId),
      errors: run.errors + (outcome === 'failed' && handled !== true ? 1 : 0),
    }),
  ),
  ApprovalRequested: ofStep((step, event) => to.approvalRequested(step, event)),
  ApprovalDecided: ofStep((step, event) => to.approvalDecided(step, event)),
};

/** The further items that an output changes if it belongs to a run. */
export function runOutputKeys({ data }: RecordedOf<to.OutputEventType>): readonly ItemKey[] {
  return data.run ? [runKey, runStepKey(data.stepId), frozenOutputsKey(data.stepId)] : [];
}

/** `before`: the previous output of the step. */
export function runOutputChanges(
  event: RecordedOf<to.OutputEventType>,
  current: ItemLookup,
  before: Item | undefined,
): readonly ItemChange[] {
  const { run, stepId } = event.data;
  const step = run && findRunStep(stepId, current);
  if (!step) return [];
  const lastOutput = { stepId, version: event.version };
  const changed = to.outputAdded(step, event, run);
  return [
    ...stepChanges({ ...run, stepId, origin: event.origin }, current, {
      change: () => changed,
      count: (facts) => ({ ...facts, lastOutput }),
    }),
    ...frozenChange({ stepId, results: changed.results, before }, current),
  ];
}

function namedSteps({ parallel, from }: RecordedOf<'StepScheduled'>['data']): readonly string[] {
  return [parallel, from].filter((stepId) => stepId !== undefined);
}

function ofStep<Type extends StepEvents>(
  change: (step: StepFacts, event: RecordedOf<Type>) => StepFacts,
  count: (run: RunFacts, event: RecordedOf<Type>) => RunFacts = (run) => run,
) {
  return {
    touches: (event: RecordedOf<Type>): readonly ItemKey[] => [
      runKey,
      runStepKey(placeOf(event).stepId),
    ],
    fold: (event: RecordedOf<Type>, current: ItemLookup): readonly ItemChange[] =>
      stepChanges(placeOf(event), current, {
        change: (step) => change(step, event),
        count: (run) => count(run, event),
      }),
  };
}

/** The run, the step and the time of an event; all these events have them. */
function placeOf({ data, origin }: RecordedContextEvent): StepPlace {
  const { runId, stepId, at } = data as Omit<StepPlace, 'origin'>;
  return { runId, stepId, at, origin };
}

/** The changes of an event to a step and its run. */
function stepChanges(
  { runId, stepId, ...moment }: StepPlace,
  current: ItemLookup,
  { change, count, others = [] }: StepUpdate,
): readonly ItemChange[] {
  const run = findRun(current);
  if (run?.runId !== runId || !findRunStep(stepId, current)) return [];
  const steps: ItemChange[] = [];
  let updatedRun = withClock(run, moment);
  for (const [id, changeOne] of [[stepId, change] as const, ...others]) {
    const before = findRunStep(id, current);
    if (!before) continue;
    const after = changeOne(before);
    updatedRun = withStep(updatedRun, { stepId: id, before, after });
    steps.push({ ...runStepKey(id), state: stateOf(after), body: undefined });
  }
  return [{ ...runKey, state: stateOf(count(updatedRun)), body: undefined }, ...steps];
}

function withStep(
  run: RunFacts,
  { stepId, before, after }: Readonly<{ stepId: string; before: StepFacts; after: StepFacts }>,
): RunFacts {
  const others = run.active.filter((id) => id !== stepId || isOpen(after));
  return {
    ...run,
    active: isOpen(after) && !isOpen(before) ? [...others, stepId] : others,
    working: run.working + Number(isWorking(after)) - Number(isWorking(before)),
    asking: run.asking + Number(waitsForPeople(after)) - Number(waitsForPeople(before)),
    expiries: expiriesWith(run, stepId, after),
  };
}

function expiriesWith({ expiries }: RunFacts, stepId: string, { approval }: StepFacts) {
  const others = Object.entries(expiries).filter(([other]) => other !== stepId);
  const { expiresAt = null } = approval ?? {};
  return Object.fromEntries(expiresAt === null ? others : [...others, [stepId, expiresAt]]);
}
