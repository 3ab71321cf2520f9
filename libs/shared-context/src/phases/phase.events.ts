import { z } from 'zod';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { agentId, existingOrNewId, text } from '../payload.schema.js';

const phaseStartedPayload = z.strictObject({ phase: existingOrNewId, agent: agentId.optional() });

const phaseCompletedPayload = z.strictObject({
  phase: existingOrNewId,
  agent: agentId.optional(),
  outputs: z.array(text).max(1000).optional(),
});

/** `agent`: the agent that works on the phase, if it is not the author of the event. */
const phaseStarted = defineClientEvent('PhaseStarted', phaseStartedPayload, {
  line: ({ phase, agent }) => `phase ${phase} started${optionalText(' by ', agent)}`,
  client: { command: 'StartPhase', payload: phaseStartedPayload, mentionedAgent: 'agent' },
});

/** `agent`: the agent that completed the phase, if it is not the author of the event. */
export const phaseCompleted = defineClientEvent('PhaseCompleted', phaseCompletedPayload, {
  line: ({ phase, agent }) => `phase ${phase} completed${optionalText(' by ', agent)}`,
  client: { command: 'CompletePhase', payload: phaseCompletedPayload, claimedAgent: 'agent' },
});

export const phaseEvents = [phaseStarted, phaseCompleted] as const;

export const phaseItemKinds = [
  defineItemKind('phase', {
    rulesReadBody: true,
    view: { section: 'tasks', when: 'completed' },
  }),
] as const;
