import { z } from 'zod';

import { defineEvent } from '#event-sourcing';

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

export const handoverAcknowledged = defineEvent(
  'HandoverAcknowledged',
  z.strictObject({ handoverId: existingId, note: text.optional() }),
);

export const handoverEvents = [handoverNoted, handoverAcknowledged] as const;

/** What a client may state of a handover; its id is made where it is left out. */
export const handoverToNote = z.strictObject({
  handoverId: identifier.optional(),
  ...statedHandover,
});
