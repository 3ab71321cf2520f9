import { type StatedOutcome } from '../life/life.events.js';
import { type LastEnded } from './last-ended.js';
import { type WorkCounts, noWorkCounts } from './work-counts.js';

/** The active agents and their work, small enough to be stored with each context in a list. */
export type Activity = Readonly<{
  /** The step started last, while it runs, and who started it. */
  activeStep: string | null;
  activeAgent: string | null;
  /** The task started last, until it is completed, who works on it, and whether it waits. */
  activeTask: string | null;
  taskAgent: string | null;
  taskBlocked: boolean;
  /** The phase started last, while it runs, and who works on it. */
  activePhase: string | null;
  phaseAgent: string | null;
  /** How many steps, tasks and phases run. */
  running: number;
  /** How many circuit breakers are tripped. */
  tripped: number;
  /** The result of the work that ended last: a step, a task, a phase, or the work as judged by a review or a signal. */
  lastEnded: LastEnded | null;
  /** Null while the context is open. */
  closing: StatedOutcome | 'unstated' | null;
  /** False if the activity comes from rows of the projection before version 10, which do not count work. */
  counted: boolean;
}> &
  WorkCounts;

export const noActivity: Activity = {
  activeStep: null,
  activeAgent: null,
  activeTask: null,
  taskAgent: null,
  taskBlocked: false,
  activePhase: null,
  phaseAgent: null,
  running: 0,
  tripped: 0,
  lastEnded: null,
  closing: null,
  counted: true,
  ...noWorkCounts,
};

export function isSameActivity(left: Activity, right: Activity): boolean {
  return Object.entries(left).every(([name, value]) => Reflect.get(right, name) === value);
}

/** Readers of decisions in force must not learn that others wait for approval. */
export function withoutProposals(activity: Activity): Activity {
  return { ...activity, proposed: 0 };
}
