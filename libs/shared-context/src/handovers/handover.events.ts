import { z } from 'zod';

import { defineEvent, upcast } from '#event-sourcing';

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

export const handoverNoted = defineEvent(
  'HandoverNoted',
  z.strictObject({
    handoverId: identifier,
    ...statedHandover,
    /** The handover this one goes on with, in the context that this one continues. */
    carriedFrom: z.strictObject({ contextId, handoverId: existingId }).optional(),
  }),
);

/** What a client may state of an acknowledgement. */
export const handoverToAcknowledge = z.strictObject({
  handoverId: existingId,
  note: text.optional(),
});

/** `to`: to whom the handover was; left out by version 1. */
const handoverAcknowledged = defineEvent(
  'HandoverAcknowledged',
  handoverToAcknowledge.extend({ to: identifier.optional() }),
  { version: 2, upcasts: { 1: upcast(handoverToAcknowledge, (data) => data) } },
);

export const handoverEvents = [handoverNoted, handoverAcknowledged] as const;

/** What a client may state of a handover; its id is made where it is left out. */
export const handoverToNote = z.strictObject({
  handoverId: identifier.optional(),
  ...statedHandover,
});
