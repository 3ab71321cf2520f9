import {
  type ContextEventType,
  type RecordedContextEvent,
  type RecordedOf,
  authorOf,
} from '../context.events.js';
import { foldEvent } from '../context.fold.js';
import { hasEnded } from '../ending.js';
import { type Item, type ItemChange, type ItemLookup } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { closingOf, lifeKey } from '../life/life.fold.js';
import { type Activity } from '../outcome/activity.js';
import { type LastEnded, endingBy, lastEnded } from '../outcome/last-ended.js';
import { advanceCounts, countWork, countedKinds } from '../outcome/work-counts.js';
import { newestReview } from '../reviews/newest-review.js';
import { newestSignals } from '../signals/newest-signal.js';

/** Kinds of the items from which {@link activityOf} computes the activity. */
export const activityKinds: readonly ItemKind[] = [
  ...new Set<ItemKind>(['life', 'step', 'task', 'phase', 'loop', ...countedKinds]),
];

type Advance<Type extends ContextEventType> = (
  activity: Activity,
  event: RecordedOf<Type>,
  before: ItemLookup,
) => Activity;

const noTask = { activeTask: null, taskAgent: null, taskBlocked: false };

const advances: Readonly<{ [Type in ContextEventType]?: Advance<Type> }> = {
  StepStarted: (activity, event, before) => ({
    ...activity,
    activeStep: event.data.stepId,
    activeAgent: authorOf(event),
    ...afterStart(activity, before('step', event.data.stepId)),
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
    return { ...activity, ...active, ...afterStart(activity, task) };
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
    return task ? { ...activity, ...active, ...afterEnd(activity, task, 'completed') } : activity;
  },
  PhaseStarted: (activity, event, before) => {
    const { phase, agent = authorOf(event) } = event.data;
    const active = { activePhase: phase, phaseAgent: agent };
    return { ...activity, ...active, ...afterStart(activity, before('phase', phase)) };
  },
  PhaseCompleted: (activity, { data: { phase } }, before) => {
    const active = activity.activePhase === phase ? { activePhase: null, phaseAgent: null } : {};
    const last = activity.lastEnded === 'approved' ? 'approved' : 'completed';
    return { ...activity, ...active, ...afterEnd(activity, before('phase', phase), last) };
  },
  ReviewRecorded: (activity, event) => ({
    ...activity,
    lastEnded: endingBy(newestReview(event)),
  }),
  SignalEmitted: (activity, event) => {
    const [newest] = newestSignals(event);
    return newest ? { ...activity, lastEnded: endingBy(newest) } : activity;
  },
  ContextClosed: (activity, { data }) => ({ ...activity, closing: data.outcome ?? 'unstated' }),
  ContextReopened: (activity) => ({ ...activity, closing: null }),
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

/** The activity after an event. `before`: the items before the event; `changes`: its changes. */
export function advanceActivity(
  activity: Activity,
  event: RecordedContextEvent,
  before: ItemLookup,
  changes: readonly ItemChange[] = foldEvent(event, before),
): Activity {
  // The table is keyed by event type, so the function accepts this event.
  const advance = advances[event.type] as Advance<ContextEventType> | undefined;
  const advanced = advance ? advance(activity, event, before) : activity;
  return { ...advanced, ...advanceCounts(activity, changes, before) };
}

/**
 * The activity after a restore or a fork, from that of its base. A restore keeps the closing of its context; a fork
 * starts open.
 */
export function activityOnBase(
  { forked }: Readonly<{ forked: boolean }>,
  now: Activity | undefined,
  atBase: Activity,
): Activity {
  return { ...atBase, closing: forked ? null : (now?.closing ?? null) };
}

/**
 * The activity, computed from all items of a context, or all of {@link activityKinds}. `counted`: whether the rows from
 * which they come include all of these kinds, according to the activity in the head.
 */
export function activityOf(items: readonly Item[], counted = true): Activity {
  const work = items.filter(({ kind }) => workKinds.has(kind));
  return {
    ...activeWork(ofKind('step', items), ofKind('task', items), ofKind('phase', items)),
    running: work.filter(isRunning).length,
    tripped: ofKind('loop', items).filter(isTripped).length,
    lastEnded: lastEnded(items),
    closing: closingOf(items.find(({ kind }) => kind === lifeKey.kind)),
    counted,
    ...countWork(items),
  };
}

const workKinds: ReadonlySet<ItemKind> = new Set(['step', 'task', 'phase']);

function stepEnded(
  activity: Activity,
  before: ItemLookup,
  { stepId, how }: Readonly<{ stepId: string; how: LastEnded }>,
): Activity {
  const active = activity.activeStep === stepId ? { activeStep: null, activeAgent: null } : {};
  return { ...activity, ...active, ...afterEnd(activity, before('step', stepId), how) };
}

function afterStart({ running }: Activity, before: Item | undefined) {
  return { running: running + 1 - countOf(before) };
}

function afterEnd({ running }: Activity, before: Item | undefined, lastEnded: LastEnded) {
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

/** The item that was started last, if it has not ended; a task also counts while it is blocked. */
function newestActive(items: readonly Item[]): Item | undefined {
  const newest = newestBy(items, ({ state }) => Number(state['startedVersion'] ?? -Infinity));
  const isActive = newest?.state['startedVersion'] !== undefined && !hasEnded(newest);
  return isActive ? newest : undefined;
}

function activeWork(steps: readonly Item[], tasks: readonly Item[], phases: readonly Item[]) {
  const [step, task, phase] = [newestActive(steps), newestActive(tasks), newestActive(phases)];
  return {
    activeStep: keyOf(step),
    activeAgent: textIn(step, 'agentId'),
    activeTask: keyOf(task),
    taskAgent: textIn(task, 'startedBy'),
    taskBlocked: task?.state['status'] === 'blocked',
    activePhase: keyOf(phase),
    phaseAgent: textIn(phase, 'agentId'),
  };
}

function ofKind(itemKind: ItemKind, items: readonly Item[]): readonly Item[] {
  return items.filter(({ kind }) => kind === itemKind);
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
