import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type RecordedOf, authorOf, happenedAt } from '../context.events.js';
import { previousEnding } from '../ending.js';
import { type EventFolds } from '../event-fold.js';
import { type Item, type ItemChange, type ItemLookup } from '../item.js';
import { asJson, without } from '../json.js';
import { authorship } from '../listed-entry.js';
import {
  type TaskStatus,
  blockingReason,
  plannedPayload,
  reasonOf,
  taskKey,
  taskStatus,
} from './task.item.js';

/** A task is one item. Events about an unplanned task have no effect. */
export const taskFolds: EventFolds<
  'TaskPlanned' | 'TaskStarted' | 'TaskBlocked' | 'TaskCompleted'
> = {
  TaskPlanned: {
    touches: ({ data }) => [taskKey(data.taskId)],
    fold: (event, current) =>
      taskOf(event, current)
        ? changeTask(event, current, (task) => ({
            state: task.state,
            body: planWith(event, reasonOf(task)),
          }))
        : [plannedTask(event)],
  },
  TaskStarted: {
    touches: ({ data }) => [taskKey(data.taskId)],
    fold: (event, current) =>
      changeTask(event, current, (task) => ({
        state: {
          ...without(task.state, ['completedAt', 'completedBy', 'assignedBy']),
          ...start(task, event),
          ...previousEnding(task),
        },
        body: plannedPayload(task),
      })),
  },
  TaskBlocked: {
    touches: ({ data }) => [taskKey(data.taskId)],
    fold: (event, current) =>
      changeTask(event, current, (task) =>
        taskStatus(task) === 'completed' ? undefined : blockedTask(task, event),
      ),
  },
  TaskCompleted: {
    touches: ({ data }) => [taskKey(data.taskId)],
    fold: (event, current) =>
      changeTask(event, current, (task) => ({
        state: {
          ...task.state,
          ...is('completed'),
          completedAt: happenedAt(event),
          completedBy: authorOf(event),
        },
        body: plannedPayload(task),
      })),
  },
};

function plannedTask(event: RecordedOf<'TaskPlanned'>): ItemChange {
  return {
    ...taskKey(event.data.taskId),
    state: { ...is('planned'), version: event.version, ...authorship(event) },
    body: asJson(event.data),
  };
}

function planWith({ data }: RecordedOf<'TaskPlanned'>, reason: JsonValue | undefined): JsonObject {
  return { ...asJson(data), ...(reason === undefined ? {} : { [blockingReason]: reason }) };
}

/** Starting a task that is in progress or blocked does not change its start time. */
function start(task: Item, event: RecordedOf<'TaskStarted'>): JsonObject {
  const { startedAt } = task.state;
  const isContinued = taskStatus(task) === 'in_progress' || taskStatus(task) === 'blocked';
  return {
    ...is('in_progress'),
    startedVersion: event.version,
    startedAt: isContinued && startedAt !== undefined ? startedAt : happenedAt(event),
    ...assignment(event),
  };
}

/** The agent that works on the task, and the agent that assigned it, if that is another one. */
function assignment(event: RecordedOf<'TaskStarted'>): JsonObject {
  const author = authorOf(event);
  const { agent: startedBy = author } = event.data;
  return startedBy === author ? { startedBy } : { startedBy, assignedBy: author };
}

function blockedTask(task: Item, event: RecordedOf<'TaskBlocked'>): Change {
  const body = isJsonObject(task.body) ? task.body : {};
  return {
    state: { ...task.state, ...is('blocked') },
    body: { ...body, [blockingReason]: event.data.reason },
  };
}

type TaskEvent = RecordedOf<'TaskPlanned' | 'TaskStarted' | 'TaskBlocked' | 'TaskCompleted'>;
type Change = Readonly<{ state: JsonObject; body: Item['body'] }>;

function changeTask(
  event: TaskEvent,
  current: ItemLookup,
  change: (task: Item) => Change | undefined,
): readonly ItemChange[] {
  const task = taskOf(event, current);
  const changes = task && change(task);
  return changes ? [{ ...taskKey(event.data.taskId), ...changes }] : [];
}

function taskOf({ data }: TaskEvent, current: ItemLookup): Item | undefined {
  return current('task', data.taskId);
}

function is(status: TaskStatus) {
  return { status };
}
