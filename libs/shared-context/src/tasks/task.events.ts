import { z } from 'zod';

import { upcast } from '#event-sourcing';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { agentId, existingId, identifier, text } from '../payload.schema.js';

const taskOfVersion1 = {
  title: text.max(1000),
  dependsOn: z.array(existingId).max(1000).optional(),
  acceptanceCriteria: z.array(text).max(1000).optional(),
  /** In hours. */
  estimate: z.number().min(0).optional(),
};

const statedTask = {
  ...taskOfVersion1,
  /** The task that this one is a part of. */
  partOf: existingId.optional(),
  /** The heading under which a plan lists the task. */
  group: text.max(1000).optional(),
};

const taskPlannedV1 = z.strictObject({ taskId: identifier, ...taskOfVersion1 });

/** The members that a client may send; the server creates the id if it is left out. */
const taskToPlan = z.strictObject({ taskId: identifier.optional(), ...statedTask });

const taskStartedPayload = z.strictObject({ taskId: existingId, agent: agentId.optional() });
const taskBlockedPayload = z.strictObject({ taskId: existingId, reason: text.max(10_000) });
const taskCompletedPayload = z.strictObject({ taskId: existingId });

/** A known id is a new revision of the plan; the status of the task stays. */
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

/** `agent`: the agent that works on the task, if it is not the author of the event. */
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
