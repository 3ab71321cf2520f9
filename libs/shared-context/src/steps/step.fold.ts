import { type RecordedContextEvent, authorOf, happenedAt } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { asJson } from '../json.js';

export type StepStatus = 'started' | 'completed' | 'failed';

export function stepKey(stepId: string): ItemKey {
  return { kind: 'step', key: stepId };
}

export function stepFailureKey(stepId: string): ItemKey {
  return { kind: 'step-failure', key: stepId };
}

export function stepOutputKey(stepId: string): ItemKey {
  return { kind: 'step-output', key: stepId };
}

/** An agent's latest output of a name. */
export function namedOutputKey(agentId: string, name: string): ItemKey {
  return { kind: 'output', key: JSON.stringify([agentId, name]) };
}

/**
 * Status, latest output and latest failure are items of their own: a failure does not take the output away, and
 * deciding on the status never loads an output.
 */
export const stepFolds: EventFolds<'StepStarted' | 'StepOutputAdded' | 'StepFailed'> = {
  StepStarted: {
    touches: ({ data }) => [stepKey(data.stepId)],
    fold: (event, current) => [started(event, current)],
  },
  StepOutputAdded: {
    touches: (event) => [
      stepKey(event.data.stepId),
      stepOutputKey(event.data.stepId),
      ...namedOutputKeys(event),
    ],
    fold: (event, current) => [
      ended(event, current, 'completed'),
      {
        ...stepOutputKey(event.data.stepId),
        state: { ...by(event), recordedAt: event.recordedAt, recordedBy: event.principal },
        body: asJson(event.data),
      },
      ...namedOutputKeys(event).map((key) => ({
        ...key,
        state: {
          agentId: authorOf(event),
          name: event.data.name ?? '',
          stepId: event.data.stepId,
          version: event.version,
        },
        // Here too: the step it is the output of may go on to say something else.
        body: event.data.output,
      })),
    ],
  },
  StepFailed: {
    touches: ({ data }) => [stepKey(data.stepId), stepFailureKey(data.stepId)],
    fold: (event, current) => [
      ended(event, current, 'failed'),
      { ...stepFailureKey(event.data.stepId), state: by(event), body: asJson(event.data) },
    ],
  },
};

function namedOutputKeys(
  event: Extract<RecordedContextEvent, { type: 'StepOutputAdded' }>,
): readonly ItemKey[] {
  const { name } = event.data;
  return name === undefined ? [] : [namedOutputKey(authorOf(event), name)];
}

/** Since when its agent has worked on it, and how often it began again what had failed. */
function started(
  event: Extract<RecordedContextEvent, { type: 'StepStarted' }>,
  current: ItemLookup,
): ItemChange {
  const key = stepKey(event.data.stepId);
  const who = by(event);
  const before = current(key.kind, key.key)?.state;
  const earlier = before?.['startedBy'] === who.agentId ? before : {};
  const { startedAt = who.timestamp, retries = 0 } = earlier;
  const state = {
    ...{ status: 'started', startedVersion: event.version, startedBy: who.agentId, startedAt },
    retries: Number(retries) + (earlier['status'] === 'failed' ? 1 : 0),
    ...who,
  };
  return { ...key, state, body: undefined };
}

function ended(
  event: Extract<RecordedContextEvent, { type: 'StepOutputAdded' | 'StepFailed' }>,
  current: ItemLookup,
  status: StepStatus,
): ItemChange {
  const key = stepKey(event.data.stepId);
  const before = current(key.kind, key.key)?.state ?? {};
  const state = { startedVersion: null, ...before, status, ...by(event) };
  return { ...key, state, body: undefined };
}

function by(event: RecordedContextEvent) {
  return { agentId: authorOf(event), timestamp: happenedAt(event) };
}
