import { type CommandRules } from '../command-rule.js';
import { type PlanTask } from '../context.command.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type Item, type ItemLookup } from '../item.js';
import { asJson, jsonEquals, pointerStep } from '../json.js';
import { type TaskStatus, plannedPayload, reasonOf, taskKey, taskStatus } from './task.item.js';

export const taskRules: CommandRules<'PlanTask' | 'StartTask' | 'BlockTask' | 'CompleteTask'> = {
  PlanTask: {
    reads: ({ data }) => [data.taskId, ...tasksNamed(data)].map(taskKey),
    names: ({ data }) => tasksNamed(data).map(taskKey),
    decide: ({ data, isRevision = false }, current) => {
      const before = current('task', data.taskId);
      if (before && jsonEquals(plannedPayload(before), asJson(data))) return [];
      if (before && !isRevision)
        throw new RuleViolationError(
          '/taskId',
          'names a task that says something else: choose another id, or leave it out for a new one',
        );
      requirePlanned(data, current);
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

function tasksNamed({ dependsOn = [], partOf }: PlanTask['data']): readonly string[] {
  return partOf === undefined ? dependsOn : [...dependsOn, partOf];
}

/** Tasks are planned before those that depend on them, so that none waits for itself. */
function requirePlanned({ taskId, ...plan }: PlanTask['data'], current: ItemLookup): void {
  const { dependsOn = [], partOf } = plan;
  const isMissing = (other: string) => other === taskId || !current('task', other);
  const at = dependsOn.findIndex(isMissing);
  if (at >= 0) throw unplanned(`/dependsOn${pointerStep(at)}`);
  if (partOf !== undefined && isMissing(partOf)) throw unplanned('/partOf');
}

function unplanned(pointer: string): RuleViolationError {
  return new RuleViolationError(
    pointer,
    'names no task of this context: plan that task first, or leave it out',
  );
}
