import { type CommandRules } from '../command-rule.js';
import { type PlanTask } from '../context.command.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type Item, type ItemLookup } from '../item.js';
import { asJson, jsonEquals, pointerStep } from '../json.js';
import { type TaskStatus, plannedPayload, reasonOf, taskKey, taskStatus } from './task.item.js';

export const taskRules: CommandRules<'PlanTask' | 'StartTask' | 'BlockTask' | 'CompleteTask'> = {
  PlanTask: {
    reads: ({ data }) => [data.taskId, ...referencedTasks(data)].map(taskKey),
    names: ({ data }) => referencedTasks(data).map(taskKey),
    decide: ({ data, isRevision = false }, current) => {
      const before = current('task', data.taskId);
      if (before && jsonEquals(plannedPayload(before), asJson(data))) return [];
      if (before && !isRevision)
        throw new RuleViolationError(
          '/taskId',
          'is the id of another task: choose another id, or leave it out for a new one',
        );
      requirePlanned(data, current);
      return [{ type: 'TaskPlanned', data }];
    },
  },
  /** Starting a task in progress assigns it to another agent; starting a completed task reopens it. */
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

function referencedTasks({ dependsOn = [], partOf }: PlanTask['data']): readonly string[] {
  return partOf === undefined ? dependsOn : [...dependsOn, partOf];
}

/** Tasks must be planned before tasks that depend on them, so that there are no cycles. */
function requirePlanned({ taskId, ...plan }: PlanTask['data'], current: ItemLookup): void {
  const { dependsOn = [], partOf } = plan;
  const isMissing = (other: string) => other === taskId || !current('task', other);
  const at = dependsOn.findIndex(isMissing);
  if (at >= 0) throw unplannedTask(`/dependsOn${pointerStep(at)}`);
  if (partOf !== undefined && isMissing(partOf)) throw unplannedTask('/partOf');
}

function unplannedTask(pointer: string): RuleViolationError {
  return new RuleViolationError(
    pointer,
    'names no task of this context: plan that task first, or leave it out',
  );
}
