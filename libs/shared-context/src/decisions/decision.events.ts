import { z } from 'zod';

import { defineEvent } from '#event-sourcing';

import { anyJson, existingId, existingOrNewId, identifier, text } from '../payload.schema.js';

export const relations = ['enables', 'requires', 'implies', 'relates'] as const;

const statedDecision = {
  topic: existingOrNewId.optional(),
  stepId: existingOrNewId.optional(),
  decision: text,
  rationale: z.string().optional(),
  alternativesConsidered: anyJson.optional(),
  tradeOffs: anyJson.optional(),
  relatedRequirements: z.array(text).optional(),
  relatedDecisions: z
    .array(z.strictObject({ decisionId: existingOrNewId, relation: z.enum(relations) }))
    .optional(),
  confidence: z.number().min(0).max(1).optional(),
  supersedes: existingId.optional(),
  /** True if it waits for a person: asked for, or stated with too little confidence. */
  requiresApproval: z.boolean().optional(),
};

const reason = text.max(10_000).optional();

export const decisionRecorded = defineEvent(
  'DecisionRecorded',
  z.strictObject({ decisionId: identifier, ...statedDecision }),
);

/** `topic` and `supersedes` are the decision's own, so that the event alone says which items it changes. */
export const decisionApproved = defineEvent(
  'DecisionApproved',
  z.strictObject({
    decisionId: identifier,
    topic: identifier.optional(),
    supersedes: identifier.optional(),
    reason,
  }),
);

export const decisionRejected = defineEvent(
  'DecisionRejected',
  z.strictObject({ decisionId: identifier, reason }),
);

export const decisionEvents = [decisionRecorded, decisionApproved, decisionRejected] as const;

/** What a client may state of a decision; the id is made where it is left out. */
export const decisionToRecord = z.strictObject({
  decisionId: identifier.optional(),
  ...statedDecision,
});

/** A verdict on a pending decision. */
export const decisionVerdict = z.strictObject({ decisionId: existingId, reason });
