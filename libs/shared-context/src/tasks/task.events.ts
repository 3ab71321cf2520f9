import { z } from 'zod';

import { upcast } from '#event-sourcing';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { agentId, existingId, identifier, text } from '../payload.schema.js';

const taskOfVersion1 = {
  title: text.max(1000),
  dependsOn: z.array(existingId).max(1000).optional(),
  acceptanceCriteria: z.array(text).max(1000).optional(),
  /** Hours. */
  estimate: z.number().min(0).optional(),
};

const statedTask = {
  ...taskOfVersion1,
  /** The task that this one is a part of. */
  partOf: existingId.optional(),
  /** The heading that tasks of a plan are listed under. */
  group: text.max(1000).optional(),
};

const taskPlannedV1 = z.strictObject({ taskId: identifier, ...taskOfVersion1 });

/** What a client may state of a task; the id is made if it is left out. */
const taskToPlan = z.strictObject({ taskId: identifier.optional(), ...statedTask });

const taskStartedPayload = z.strictObject({ taskId: existingId, agent: agentId.optional() });
const taskBlockedPayload = z.strictObject({ taskId: existingId, reason: text.max(10_000) });
const taskCompletedPayload = z.strictObject({ taskId: existingId });

/** The same id again is a new revision of the plan; how far the task is stays as it is. */
export const taskPlanned = defineClientEvent(
  'TaskPlanned',
  z.strictObject({ taskId: identifier, ...statedTask }),
  {
    line: ({ taskId, title }) => `task ${taskId} planned: ${title}`,
    idMember: 'taskId',
    client: { command: 'PlanTask', payload: taskToPlan },
    history: { version: 2, upcasts: { 1: upcast(taskPlannedV1, (data) => data) } },
  },
);

/** `agent`: who works on it, where that is not the author. */
const taskStarted = defineClientEvent('TaskStarted', taskStartedPayload, {
  line: ({ taskId, agent }) => `task ${taskId} started${optionalText(' by ', agent)}`,
  client: { command: 'StartTask', payload: taskStartedPayload, mentionedAgent: 'agent' },
});

export const taskBlocked = defineClientEvent('TaskBlocked', taskBlockedPayload, {
  line: ({ taskId, reason }) => `task ${taskId} blocked: ${reason}`,
  client: { command: 'BlockTask', payload: taskBlockedPayload },
});

const taskCompleted = defineClientEvent('TaskCompleted', taskCompletedPayload, {
  line: ({ taskId }) => `task ${taskId} completed`,
  client: { command: 'CompleteTask', payload: taskCompletedPayload },
});

export const taskEvents = [taskPlanned, taskStarted, taskBlocked, taskCompleted] as const;

export const taskItemKinds = [
  defineItemKind('task', {
    rulesReadBody: true,
    view: { section: 'tasks', heading: ['taskId'], when: 'completed' },
  }),
] as const;
