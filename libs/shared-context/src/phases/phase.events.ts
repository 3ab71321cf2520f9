import { z } from 'zod';

import { defineEvent } from '#event-sourcing';

import { agentId, existingOrNewId, text } from '../payload.schema.js';

/** `agent`: who works on it, where that is not the author. */
export const phaseStarted = defineEvent(
  'PhaseStarted',
  z.strictObject({ phase: existingOrNewId, agent: agentId.optional() }),
);

/** `agent`: the agent that completed the phase, if it is not the author of the event. */
export const phaseCompleted = defineEvent(
  'PhaseCompleted',
  z.strictObject({
    phase: existingOrNewId,
    agent: agentId.optional(),
    outputs: z.array(text).max(1000).optional(),
  }),
);

export const phaseEvents = [phaseStarted, phaseCompleted] as const;
