import { type ActiveVisit, type EndedVisit, type Run } from './run.js';

type StepStyle = 'idle' | 'completed' | 'running' | 'waiting' | 'asking' | 'failed' | 'skipped';

/** The state of a step in a run. `text`: its outcome, or what it waits for. */
export type StepState = Readonly<{
  style: StepStyle;
  text: string;
  visit: number;
  attempts: number;
  error: string | null;
}>;

const idle: StepState = { style: 'idle', text: 'not reached', visit: 0, attempts: 0, error: null };

/** The state of a step: an active visit replaces the result of an earlier one. */
export function stateOfStep(
  stepId: string,
  { active, results }: Pick<Run, 'active' | 'results'>,
): StepState {
  const visit = active.find((each) => each.stepId === stepId);
  if (visit) return activeState(visit);
  const ended = results.findLast((each) => each.stepId === stepId);
  return ended ? endedState(ended) : idle;
}

const styleByOutcome: Readonly<Record<string, StepStyle>> = {
  failed: 'failed',
  rejected: 'failed',
  skipped: 'skipped',
  cancelled: 'skipped',
};

function endedState({ visit, attempts, outcome, error }: EndedVisit): StepState {
  return { style: styleByOutcome[outcome] ?? 'completed', text: outcome, visit, attempts, error };
}

function activeState(active: ActiveVisit): StepState {
  return { ...progressOf(active), visit: active.visit, attempts: active.attempt, error: null };
}

const progressByStatus: Readonly<Record<string, Pick<StepState, 'style' | 'text'>>> = {
  asking: { style: 'asking', text: 'waits for a person' },
  doubt: { style: 'asking', text: 'in doubt, waits for a person' },
  open: { style: 'running', text: 'branches run' },
};

function progressOf({ status, agent, worker }: ActiveVisit): Pick<StepState, 'style' | 'text'> {
  const known = progressByStatus[status];
  if (known) return known;
  // The interpreter continues a scheduled step without an agent.
  if (status === 'scheduled' && agent !== null)
    return { style: 'waiting', text: `waits for ${agent}` };
  const by = status === 'running' ? (worker ?? agent) : null;
  return { style: 'running', text: by === null ? 'running' : `running by ${by}` };
}

/** Omits the first visit and the first attempt. */
export function countsOf({ visit, attempts }: StepState): readonly string[] {
  return [
    ...(visit > 1 ? [`visit ${visit}`] : []),
    ...(attempts > 1 ? [`attempt ${attempts}`] : []),
  ];
}
