import { type JsonValue, isJsonObject } from '#event-sourcing';

import { type Item, type ItemKey } from '../item.js';
import { without } from '../json.js';

export type TaskStatus = 'planned' | 'in_progress' | 'blocked' | 'completed';

/** The member of a task's body that says why it is blocked, beside the payload that planned it. */
export const blockingReason = 'reason';

export function taskKey(taskId: string): ItemKey {
  return { kind: 'task', key: taskId };
}

export function taskStatus({ state }: Item): TaskStatus {
  // Only the fold beside this file writes the state of a task.
  return state['status'] as TaskStatus;
}

/** The payload that planned it. */
export function plannedPayload({ body }: Item): JsonValue | undefined {
  return isJsonObject(body) ? without(body, [blockingReason]) : body;
}

export function reasonOf({ body }: Item): JsonValue | undefined {
  return isJsonObject(body) ? body[blockingReason] : undefined;
}
