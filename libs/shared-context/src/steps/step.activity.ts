import { type JsonObject } from '#event-sourcing';

import { type RecordedContextEvent, authorOf } from '../context.events.js';
import { type Item, type ItemLookup } from '../item.js';

/** Who works on what, small enough to keep beside a context in a list. */
export type Activity = Readonly<{
  /** The step started last, while it runs, and who started it. */
  activeStep: string | null;
  activeAgent: string | null;
  running: number;
  lastEnded: 'completed' | 'failed' | null;
}>;

export const noActivity: Activity = {
  activeStep: null,
  activeAgent: null,
  running: 0,
  lastEnded: null,
};

/** `before`: the step's item before the event. */
export function advanceActivity(
  activity: Activity,
  event: RecordedContextEvent,
  before: ItemLookup,
): Activity {
  if (event.type === 'StepStarted') {
    const { stepId } = event.data;
    const running = activity.running + (isRunning(before('step', stepId)) ? 0 : 1);
    return { ...activity, activeStep: stepId, activeAgent: authorOf(event), running };
  }
  if (event.type !== 'StepOutputAdded' && event.type !== 'StepFailed') return activity;
  const { stepId } = event.data;
  const ended = activity.activeStep === stepId ? { activeStep: null, activeAgent: null } : {};
  return {
    ...activity,
    ...ended,
    running: activity.running - (isRunning(before('step', stepId)) ? 1 : 0),
    lastEnded: event.type === 'StepFailed' ? 'failed' : 'completed',
  };
}

/** The same from all items of a context. */
export function activityOf(items: readonly Item[]): Activity {
  const steps = items.filter(({ kind }) => kind === 'step');
  const newest = newestBy(steps, ({ state }) => Number(state['startedVersion'] ?? -Infinity));
  const ended = newestBy(
    steps.filter((step) => !isRunning(step)),
    ({ fromVersion }) => fromVersion,
  );
  const active = newest && isRunning(newest) ? newest : undefined;
  return {
    activeStep: active?.key ?? null,
    activeAgent: active ? String(active.state['agentId']) : null,
    running: steps.filter(isRunning).length,
    lastEnded: ended ? (ended.state['status'] === 'failed' ? 'failed' : 'completed') : null,
  };
}

/** `status`: `in_progress` while any step runs, then how the last one ended, `not_started` before the first. */
export function renderCurrentState({ activeAgent, running, lastEnded }: Activity): JsonObject {
  const status = running > 0 ? 'in_progress' : (lastEnded ?? 'not_started');
  return { phase: null, activeAgent, activeTask: null, status };
}

function isRunning(step: Item | undefined): boolean {
  return step?.state['status'] === 'started';
}

function newestBy(items: readonly Item[], versionOf: (item: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>(
    (newest, item) => (newest && versionOf(newest) >= versionOf(item) ? newest : item),
    undefined,
  );
}
