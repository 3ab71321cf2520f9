import { type CommandRules } from '../command-rule.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type Item, type ItemLookup } from '../item.js';
import { asJson, jsonEquals, pointerStep } from '../json.js';
import { type TaskStatus, plannedPayload, reasonOf, taskKey, taskStatus } from './task.item.js';

export const taskRules: CommandRules<'PlanTask' | 'StartTask' | 'BlockTask' | 'CompleteTask'> = {
  PlanTask: {
    reads: ({ data }) => [data.taskId, ...(data.dependsOn ?? [])].map(taskKey),
    names: ({ data }) => (data.dependsOn ?? []).map(taskKey),
    decide: ({ data }, current) => {
      const before = current('task', data.taskId);
      if (before && jsonEquals(plannedPayload(before), asJson(data))) return [];
      if (before)
        throw new RuleViolationError(
          '/taskId',
          'names a task that says something else: choose another id, or leave it out for a new one',
        );
      requirePlanned(data.dependsOn ?? [], current);
      return [{ type: 'TaskPlanned', data }];
    },
  },
  /** Again by another agent, it is that agent's from now on; what was completed is open again. */
  StartTask: {
    reads: ({ data }) => [taskKey(data.taskId)],
    names: ({ data }) => [taskKey(data.taskId)],
    decide: ({ data }, current) => {
      const { state } = requireTask(data.taskId, current);
      const repeated =
        state['status'] === ('in_progress' satisfies TaskStatus) &&
        (data.agent === undefined || data.agent === state['startedBy']);
      return repeated ? [] : [{ type: 'TaskStarted', data }];
    },
  },
  BlockTask: {
    reads: ({ data }) => [taskKey(data.taskId)],
    names: ({ data }) => [taskKey(data.taskId)],
    decide: ({ data }, current) => {
      const task = requireTask(data.taskId, current);
      const status = taskStatus(task);
      if (status === 'completed')
        throw new RuleViolationError('/taskId', 'names a task that is completed: start it again');
      const repeated = status === 'blocked' && reasonOf(task) === data.reason;
      return repeated ? [] : [{ type: 'TaskBlocked', data }];
    },
  },
  CompleteTask: {
    reads: ({ data }) => [taskKey(data.taskId)],
    names: ({ data }) => [taskKey(data.taskId)],
    decide: ({ data }, current) =>
      taskStatus(requireTask(data.taskId, current)) === 'completed'
        ? []
        : [{ type: 'TaskCompleted', data }],
  },
};

function requireTask(taskId: string, current: ItemLookup): Item {
  const task = current('task', taskId);
  if (!task) throw new NotFoundError('task', taskId);
  return task;
}

/** Tasks are planned before those that depend on them, so that none waits for itself. */
function requirePlanned(taskIds: readonly string[], current: ItemLookup): void {
  const at = taskIds.findIndex((taskId) => !current('task', taskId));
  if (at >= 0)
    throw new RuleViolationError(
      `/dependsOn${pointerStep(at)}`,
      'names no task of this context: plan that task first, or leave it out',
    );
}
