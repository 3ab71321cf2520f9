import { z } from 'zod';

import { defineEvent, upcast } from '#event-sourcing';

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

/** The same id again is a new revision of the plan; how far the task is stays as it is. */
export const taskPlanned = defineEvent(
  'TaskPlanned',
  z.strictObject({ taskId: identifier, ...statedTask }),
  { version: 2, upcasts: { 1: upcast(taskPlannedV1, (data) => data) } },
);

/** `agent`: who works on it, where that is not the author. */
export const taskStarted = defineEvent(
  'TaskStarted',
  z.strictObject({ taskId: existingId, agent: agentId.optional() }),
);

export const taskBlocked = defineEvent(
  'TaskBlocked',
  z.strictObject({ taskId: existingId, reason: text.max(10_000) }),
);

export const taskCompleted = defineEvent('TaskCompleted', z.strictObject({ taskId: existingId }));

export const taskEvents = [taskPlanned, taskStarted, taskBlocked, taskCompleted] as const;

/** What a client may state of a task; the id is made where it is left out. */
export const taskToPlan = z.strictObject({ taskId: identifier.optional(), ...statedTask });
