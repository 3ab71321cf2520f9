import { type JsonObject } from '#event-sourcing';

import {
  type ContextEventType,
  type RecordedContextEvent,
  type RecordedOf,
  authorOf,
} from '../context.events.js';
import { endingOf, hasEnded } from '../ending.js';
import { type Item, type ItemKind, type ItemLookup } from '../item.js';

/** Who works on what, small enough to keep beside a context in a list. */
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
  lastEnded: 'completed' | 'failed' | null;
}>;

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
};

/** Kinds of the items that {@link activityOf} looks at. */
export const activityKinds: readonly ItemKind[] = ['step', 'task', 'phase', 'loop'];

type Advance<Type extends ContextEventType> = (
  activity: Activity,
  event: RecordedOf<Type>,
  before: ItemLookup,
) => Activity;

const noTask = { activeTask: null, taskAgent: null, taskBlocked: false };

const advances: Readonly<{ [Type in ContextEventType]?: Advance<Type> }> = {
  StepStarted: (activity, event, before) => ({
    ...activity,
    ...{ activeStep: event.data.stepId, activeAgent: authorOf(event) },
    ...begun(activity, before('step', event.data.stepId)),
  }),
  StepOutputAdded: (activity, { data }, before) =>
    stepEnded(activity, before, { stepId: data.stepId, how: 'completed' }),
  StepFailed: (activity, { data }, before) =>
    stepEnded(activity, before, { stepId: data.stepId, how: 'failed' }),
  TaskStarted: (activity, event, before) => {
    const { taskId, agent = authorOf(event) } = event.data;
    const task = before('task', taskId);
    if (!task) return activity;
    const active = { activeTask: taskId, taskAgent: agent, taskBlocked: false };
    return { ...activity, ...active, ...begun(activity, task) };
  },
  TaskBlocked: (activity, { data: { taskId } }, before) => {
    const task = before('task', taskId);
    if (!task || task.state['status'] === 'completed') return activity;
    const taskBlocked = activity.taskBlocked || activity.activeTask === taskId;
    return { ...activity, taskBlocked, running: activity.running - countOf(task) };
  },
  TaskCompleted: (activity, { data: { taskId } }, before) => {
    const task = before('task', taskId);
    const active = activity.activeTask === taskId ? noTask : {};
    return task ? { ...activity, ...active, ...ended(activity, task, 'completed') } : activity;
  },
  PhaseStarted: (activity, event, before) => {
    const { phase, agent = authorOf(event) } = event.data;
    const active = { activePhase: phase, phaseAgent: agent };
    return { ...activity, ...active, ...begun(activity, before('phase', phase)) };
  },
  PhaseCompleted: (activity, { data: { phase } }, before) => {
    const active = activity.activePhase === phase ? { activePhase: null, phaseAgent: null } : {};
    return { ...activity, ...active, ...ended(activity, before('phase', phase), 'completed') };
  },
  CircuitBreakerTripped: (activity, { data }, before) =>
    isTripped(before('loop', data.subject))
      ? activity
      : { ...activity, tripped: activity.tripped + 1 },
  CircuitBreakerReset: (activity, { data }, before) =>
    isTripped(before('loop', data.subject))
      ? { ...activity, tripped: activity.tripped - 1 }
      : activity,
  IterationsCarried: (activity, { data }, before) => ({
    ...activity,
    tripped:
      activity.tripped + Number(data.tripped) - Number(isTripped(before('loop', data.subject))),
  }),
};

/** `before`: the item before the event of the step, task, phase or loop that the event is about. */
export function advanceActivity(
  activity: Activity,
  event: RecordedContextEvent,
  before: ItemLookup,
): Activity {
  // The table is keyed by type, so the function found takes exactly the event it was found by.
  const advance = advances[event.type] as Advance<ContextEventType> | undefined;
  return advance ? advance(activity, event, before) : activity;
}

/** The same from all items of a context, or all of {@link activityKinds}. */
export function activityOf(items: readonly Item[]): Activity {
  const work = items.filter(({ kind }) => kind !== 'loop' && activityKinds.includes(kind));
  return {
    ...whatRuns(ofKind('step', items), ofKind('task', items), ofKind('phase', items)),
    running: work.filter(isRunning).length,
    tripped: ofKind('loop', items).filter(isTripped).length,
    lastEnded: lastEnded(work),
  };
}

export function isSameActivity(left: Activity, right: Activity): boolean {
  return Object.entries(left).every(([name, value]) => Reflect.get(right, name) === value);
}

/**
 * `status`: `blocked` where the active task is or a circuit breaker is tripped, `in_progress` while anything runs, then how
 * the last of it ended, `not_started` before the first.
 */
export function renderCurrentState(activity: Activity): JsonObject {
  return {
    phase: activity.activePhase,
    activeAgent: activity.activeAgent ?? activity.taskAgent ?? activity.phaseAgent,
    activeTask: activity.activeTask,
    status: statusOf(activity),
  };
}

function statusOf({ taskBlocked, tripped, running, lastEnded }: Activity): string {
  if (taskBlocked || tripped > 0) return 'blocked';
  return running > 0 ? 'in_progress' : (lastEnded ?? 'not_started');
}

type Ended = 'completed' | 'failed';

function stepEnded(
  activity: Activity,
  before: ItemLookup,
  { stepId, how }: Readonly<{ stepId: string; how: Ended }>,
): Activity {
  const active = activity.activeStep === stepId ? { activeStep: null, activeAgent: null } : {};
  return { ...activity, ...active, ...ended(activity, before('step', stepId), how) };
}

function begun({ running }: Activity, before: Item | undefined) {
  return { running: running + 1 - countOf(before) };
}

function ended({ running }: Activity, before: Item | undefined, lastEnded: Ended) {
  return { running: running - countOf(before), lastEnded };
}

function countOf(item: Item | undefined): number {
  return item && isRunning(item) ? 1 : 0;
}

function isRunning({ state }: Item): boolean {
  return state['status'] === 'started' || state['status'] === 'in_progress';
}

function isTripped(loop: Item | undefined): boolean {
  return loop?.state['tripped'] === true;
}

/** The one started last, while it runs; a task also while it waits. */
function active(items: readonly Item[]): Item | undefined {
  const newest = newestBy(items, ({ state }) => Number(state['startedVersion'] ?? -Infinity));
  const goesOn = newest?.state['startedVersion'] !== undefined && !hasEnded(newest);
  return goesOn ? newest : undefined;
}

function whatRuns(steps: readonly Item[], tasks: readonly Item[], phases: readonly Item[]) {
  const [step, task, phase] = [active(steps), active(tasks), active(phases)];
  return {
    ...{ activeStep: keyOf(step), activeAgent: textIn(step, 'agentId') },
    ...{ activeTask: keyOf(task), taskAgent: textIn(task, 'startedBy') },
    taskBlocked: task?.state['status'] === 'blocked',
    ...{ activePhase: keyOf(phase), phaseAgent: textIn(phase, 'agentId') },
  };
}

function lastEnded(work: readonly Item[]): Activity['lastEnded'] {
  const endings = work.flatMap((item) => endingOf(item) ?? []);
  const [last] = endings.toSorted((left, right) => right.version - left.version);
  if (!last) return null;
  return last.failed ? 'failed' : 'completed';
}

function ofKind(wanted: ItemKind, items: readonly Item[]): readonly Item[] {
  return items.filter(({ kind }) => kind === wanted);
}

function keyOf(item: Item | undefined): string | null {
  return item ? item.key : null;
}

function textIn(item: Item | undefined, name: string): string | null {
  return item ? String(item.state[name]) : null;
}

function newestBy(items: readonly Item[], versionOf: (item: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>(
    (newest, item) => (newest && versionOf(newest) >= versionOf(item) ? newest : item),
    undefined,
  );
}
