import { type JsonValue, isJsonObject } from '#event-sourcing';

import { type Item, type ItemKey } from '../item.js';
import { without } from '../json.js';

export type TaskStatus = 'planned' | 'in_progress' | 'blocked' | 'completed';

/** The member of a task's body that holds the reason for a block, in addition to the planned payload. */
export const blockingReason = 'reason';

export function taskKey(taskId: string): ItemKey {
  return { kind: 'task', key: taskId };
}

export function taskStatus({ state }: Item): TaskStatus {
  // Only task.fold.ts writes the state of a task.
  return state['status'] as TaskStatus;
}

/** The payload of the event that planned the task. */
export function plannedPayload({ body }: Item): JsonValue | undefined {
  return isJsonObject(body) ? without(body, [blockingReason]) : body;
}

export function reasonOf({ body }: Item): JsonValue | undefined {
  return isJsonObject(body) ? body[blockingReason] : undefined;
}
