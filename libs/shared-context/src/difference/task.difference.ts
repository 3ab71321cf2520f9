import { type JsonObject } from '#event-sourcing';

import { jsonEquals, member, without } from '../json.js';
import { taskBlocked, taskPlanned } from '../tasks/task.events.js';
import { type GrowingList, listDifference } from './list.difference.js';
import {
  type Part,
  type PartDifference,
  asks,
  noDifference,
  refused,
  refusedBySchema,
} from './part.difference.js';
import { changesIn } from './value.difference.js';

/** How far a task is may change, and why it waits; new ones follow those that are there. */
export function tasksDifference(newId: () => string): Part {
  const list: GrowingList = {
    id: 'taskId',
    changed: taskChange,
    added: (sent, at) => {
      const task = Object.hasOwn(sent, 'taskId') ? sent : { taskId: newId(), ...sent };
      const parsed = taskPlanned.schema.safeParse(task);
      return parsed.success
        ? asks({ type: 'PlanTask', data: parsed.data })
        : refusedBySchema(parsed.error, at);
    },
  };
  return (current, sent, at) => listDifference(current, sent, { at, list });
}

const progress = ['status', 'reason'];

function taskChange(current: JsonObject, sent: JsonObject, at: string): PartDifference {
  const issues = changesIn(current, without(sent, progress), at);
  if (issues.length > 0) return refused(...issues);
  const now = { ...pick(current), ...pick(sent) };
  return jsonEquals(pick(current), now) ? noDifference : moved(current, now, at);
}

function pick(task: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(task).filter(([name]) => progress.includes(name)));
}

function moved(current: JsonObject, now: JsonObject, at: string): PartDifference {
  const taskId = String(member(current, 'taskId'));
  const status = member(now, 'status');
  const isMove = status !== member(current, 'status');
  if (isMove && status === 'in_progress') return asks({ type: 'StartTask', data: { taskId } });
  if (isMove && status === 'completed') return asks({ type: 'CompleteTask', data: { taskId } });
  if (status !== 'blocked') return refused(...changesIn(pick(current), now, at));
  const parsed = taskBlocked.schema.safeParse({ taskId, reason: member(now, 'reason') });
  return parsed.success
    ? asks({ type: 'BlockTask', data: parsed.data })
    : refusedBySchema(parsed.error, at);
}
