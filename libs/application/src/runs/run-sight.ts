import { type Gate, failuresBy } from '#context-views';
import {
  type Failure,
  type Item,
  type ItemKey,
  type ItemLookup,
  type Source,
  type StepResult,
  findRunStep,
  runInputKey,
  runStepKey,
  stepFailureKey,
  stepOutputKey,
} from '#shared-context';
import { type CompiledWorkflow, type RunSight } from '#workflow';

/**
 * What an audience sees of a run, by what is known of the events that have made its items. Where it is not known which of several events
 * has made something, or where nobody has kept that, it is seen only if the audience sees all of these events.
 */
export function sightOfRun(
  gate: Gate,
  { steps }: Pick<CompiledWorkflow, 'steps'>,
  current: ItemLookup,
): RunSight {
  const hasFailed = failuresBy(gate, current);
  const shows = (source: Source) => gate.shows(source, hasFailed);
  const seesAll = (sources: readonly Source[]) => sources.length > 0 && sources.every(shows);
  const seesOwn = (stepId: string, types: ReadonlySet<Source['type']>) =>
    seesAll(sourcesOf(current, runStepKey(stepId)).filter(isOf(stepId, types)));
  const seesOutput = (stepId: string, version: number) => {
    const sources = sourcesOf(current, stepOutputKey(stepId));
    const { kind, key } = stepOutputKey(stepId);
    return current(kind, key)?.fromVersion === version
      ? seesAll(sources.slice(-1))
      : seesAll(sources);
  };
  return {
    result: (stepId, result) => {
      const { hasOutput, version } = result;
      const isSeen = hasOutput ? seesOutput(stepId, version) : seesOwn(stepId, routings);
      if (!isSeen) return undefined;
      return seesOwn(stepId, verdicts) ? result : withoutComment(result);
    },
    seesInput: () => seesAll(sourcesOf(current, runInputKey).slice(-1)),
    seesFailure: (failure) => seesOwn(failure.stepId, typesBehind(failure, current)),
    seesFeedback: () =>
      Object.keys(steps).every((stepId) => {
        const sources = current(runStepKey(stepId).kind, stepId)?.sources;
        return sources?.filter(isOf(stepId, verdicts)).every(shows) === true;
      }),
  };
}

/** What {@link sightOfRun} reads beside the run, for this gate. */
export function sightKeys(
  gate: Gate | undefined,
  { steps }: Pick<CompiledWorkflow, 'steps'>,
): readonly ItemKey[] {
  return gate?.asksForFailures ? Object.keys(steps).map(stepFailureKey) : [];
}

const failures: ReadonlySet<Source['type']> = new Set(['StepAttemptFailed', 'StepAttemptTimedOut']);
const routings: ReadonlySet<Source['type']> = new Set(['StepRouted']);
const verdicts: ReadonlySet<Source['type']> = new Set(['ApprovalDecided']);

/** Events of other steps, which lead from this one or are within it, change its item too. */
function isOf(stepId: string, types: ReadonlySet<Source['type']>) {
  return ({ type, step }: Source) => step === stepId && types.has(type);
}

/** None if there are too many to be kept. */
function sourcesOf(current: ItemLookup, { kind, key }: ItemKey): NonNullable<Item['sources']> {
  return current(kind, key)?.sources ?? [];
}

/** Whether an attempt has failed, or the interpreter, is known as long as the step has not been visited again. */
function typesBehind({ stepId, path }: Failure, current: ItemLookup): ReadonlySet<Source['type']> {
  const step = findRunStep(stepId, current);
  if (step?.path !== path) return new Set([...failures, ...routings]);
  return step.failure === null ? routings : failures;
}

function withoutComment({ comment: _, ...result }: StepResult): StepResult {
  return result;
}
