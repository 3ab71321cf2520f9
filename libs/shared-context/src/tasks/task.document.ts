import { type JsonObject, type JsonValue } from '#event-sourcing';

import { listSchema, memberPart } from '../document-part.js';
import { type Item } from '../item.js';
import { asJson, defined } from '../json.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';
import { reasonOf } from './task.item.js';

export const tasksPart = memberPart('tasks', {
  schema: listSchema.meta({ description: 'Tasks as planned, with their status and agents' }),
  searched: { shape: 'list' },
  kinds: ['task'],
  listed: [{ kind: 'task', list: 'tasks', render: renderTask }],
  render: renderTasks,
});

/**
 * A task as planned, with its status and times, the agent that works on it (`agentId`; the completing agent if the task
 * was not started), and the agent that completed it; `reason` while it is blocked.
 */
export function renderTask(item: Item): JsonObject {
  const { status = null, startedBy, startedAt, completedAt, completedBy, agentId } = item.state;
  const entry = renderEntry(item);
  return asJson(
    defined({
      ...entry,
      dependsOn: entry['dependsOn'] ?? [],
      acceptanceCriteria: entry['acceptanceCriteria'] ?? [],
      status,
      reason: reasonOf(item),
      agentId: orNull(startedBy ?? completedBy),
      plannedBy: orNull(agentId),
      startedAt: orNull(startedAt),
      completedAt: orNull(completedAt),
      completedBy,
    }),
  );
}

/** In the order in which they were planned. */
export function renderTasks(items: readonly Item[]): JsonObject[] {
  return oldestFirst('task', items).map(renderTask);
}

function orNull(value: JsonValue | undefined): JsonValue {
  return value ?? null;
}
