import { z } from 'zod';

import { upcast } from '#event-sourcing';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { agentId, contextId, existingId, identifier, text } from '../payload.schema.js';
import { priorities } from '../priority.js';

const statedHandover = {
  /** Where it is left out, whoever noted it. */
  from: agentId.optional(),
  to: agentId,
  priority: z.enum(priorities).optional(),
  note: text,
  relatedArtifacts: z.array(text.max(10_000)).max(500).optional(),
  actionItems: z.array(text).max(500).optional(),
};

/** What a client may state of a handover; its id is made if it is left out. */
export const handoverToNote = z.strictObject({
  handoverId: identifier.optional(),
  ...statedHandover,
});

/** What a client may state of an acknowledgement. */
export const handoverToAcknowledge = z.strictObject({
  handoverId: existingId,
  note: text.optional(),
});

export const handoverNoted = defineClientEvent(
  'HandoverNoted',
  z.strictObject({
    handoverId: identifier,
    ...statedHandover,
    /** The handover this one goes on with, in the context that this one continues. */
    carriedFrom: z.strictObject({ contextId, handoverId: existingId }).optional(),
  }),
  {
    line: ({ handoverId, to, note }) => `handover ${handoverId} to ${to}: ${note}`,
    idMember: 'handoverId',
    aboutMember: 'to',
    client: {
      command: 'NoteHandover',
      payload: handoverToNote,
      claimedAgent: 'from',
      mentionedAgent: 'to',
    },
  },
);

/** `to`: to whom the handover was; left out by version 1. */
const handoverAcknowledged = defineClientEvent(
  'HandoverAcknowledged',
  handoverToAcknowledge.extend({ to: identifier.optional() }),
  {
    line: ({ handoverId, note }) =>
      `handover ${handoverId} acknowledged${optionalText(': ', note)}`,
    aboutMember: 'to',
    client: { command: 'AcknowledgeHandover', payload: handoverToAcknowledge },
    history: { version: 2, upcasts: { 1: upcast(handoverToAcknowledge, (data) => data) } },
  },
);

export const handoverEvents = [handoverNoted, handoverAcknowledged] as const;

export const handoverItemKinds = [
  defineItemKind('handover', {
    rulesReadBody: true,
    view: { section: 'handovers', heading: ['handoverId', 'priority'], when: 'not open' },
  }),
] as const;
