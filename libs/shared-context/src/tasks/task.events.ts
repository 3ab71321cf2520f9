import { z } from 'zod';

import { defineEvent } from '#event-sourcing';

import { agentId, existingId, identifier, text } from '../payload.schema.js';

const statedTask = {
  title: text.max(1000),
  dependsOn: z.array(existingId).max(1000).optional(),
  acceptanceCriteria: z.array(text).max(1000).optional(),
  /** Hours. */
  estimate: z.number().min(0).optional(),
};

export const taskPlanned = defineEvent(
  'TaskPlanned',
  z.strictObject({ taskId: identifier, ...statedTask }),
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
