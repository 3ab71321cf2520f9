import { z } from 'zod';

import { upcast } from '#event-sourcing';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { agentId, contextId, existingId, identifier, text } from '../payload.schema.js';
import { priorities } from '../priority.js';

const statedHandover = {
  /** Default: the author of the event. */
  from: agentId.optional(),
  to: agentId,
  priority: z.enum(priorities).optional(),
  note: text,
  relatedArtifacts: z.array(text.max(10_000)).max(500).optional(),
  actionItems: z.array(text).max(500).optional(),
};

/** The members that a client may send; the server creates the id if it is left out. */
export const handoverToNote = z.strictObject({
  handoverId: identifier.optional(),
  ...statedHandover,
});

/** The members of an acknowledgement that a client may send. */
export const handoverToAcknowledge = z.strictObject({
  handoverId: existingId,
  note: text.optional(),
});

export const handoverNoted = defineClientEvent(
  'HandoverNoted',
  z.strictObject({
    handoverId: identifier,
    ...statedHandover,
    /** The original of this handover, in the context that this one continues. */
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

/** `to`: the recipient of the handover; version 1 had no such member. */
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
