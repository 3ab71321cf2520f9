import { type JsonObject } from '#event-sourcing';

import { jsonEquals, member } from '../json.js';
import { taskBlocked, taskPlanned } from '../tasks/task.events.js';
import { statement, unchanging } from './entry.difference.js';
import { type GrowingList, listDifference } from './list.difference.js';
import {
  type Change,
  type PartComparison,
  type PartDifference,
  commanded,
  refusing,
} from './part.difference.js';
import { changesIn } from './value.difference.js';

const plan = statement(taskPlanned.schema, (data) => ({ type: 'PlanTask', data }));
const block = statement(taskBlocked.schema, (data) => ({ type: 'BlockTask', data }));

/** The status of a task and the reason for a block may change; new tasks follow the known ones. */
export function tasksDifference(newId: () => string): PartComparison {
  const list: GrowingList = {
    id: 'taskId',
    changed: taskChange,
    added: (sent, at) => {
      const task = Object.hasOwn(sent, 'taskId') ? sent : { taskId: newId(), ...sent };
      return plan(task, at);
    },
  };
  return (current, sent, at) => listDifference(current, sent, { at, list });
}

const progress = ['status', 'reason'];
const others = unchanging(taskPlanned.schema, progress);

function* taskChange(
  current: JsonObject,
  sent: JsonObject,
  at: string,
): Generator<Change | undefined> {
  if (yield* refusing(others(current, sent, at))) return;
  const next = { ...pick(current), ...pick(sent) };
  if (!jsonEquals(pick(current), next)) yield* statusChange(current, next, at);
}

function pick(task: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(task).filter(([name]) => progress.includes(name)));
}

function statusChange(current: JsonObject, next: JsonObject, at: string): PartDifference {
  const taskId = String(member(current, 'taskId'));
  const status = member(next, 'status');
  const isMove = status !== member(current, 'status');
  if (isMove && status === 'in_progress')
    return commanded({ type: 'StartTask', data: { taskId } }, at);
  if (isMove && status === 'completed')
    return commanded({ type: 'CompleteTask', data: { taskId } }, at);
  if (status !== 'blocked') return changesIn(pick(current), next, at);
  const reason = member(next, 'reason');
  const stated = jsonEquals(reason, member(current, 'reason')) ? [] : ['reason'];
  return block({ taskId, ...(reason !== undefined && { reason }) }, at, stated);
}
