import { z } from 'zod';

import { upcast } from '#event-sourcing';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { anyJson, existingId, existingOrNewId, identifier, text } from '../payload.schema.js';

export const relations = ['enables', 'requires', 'implies', 'relates'] as const;

const decisionOfVersion1 = {
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
  /** True if a person has to approve it: on request, or because its confidence is below the threshold. */
  requiresApproval: z.boolean().optional(),
};

/** `date`, `rejected` and `deprecated` are for imported decisions; a rejected or deprecated decision is not live. */
const statedDecision = {
  ...decisionOfVersion1,
  date: z.iso.date({ error: 'must be a day as YYYY-MM-DD' }).optional(),
  rejected: z.literal(true, 'must be true or left out').optional(),
  deprecated: z.literal(true, 'must be true or left out').optional(),
};

const reason = text.max(10_000).optional();

const decisionRecordedV1 = z.strictObject({ decisionId: identifier, ...decisionOfVersion1 });

/** The members that a client may send; the server assigns the id if it is left out. */
export const decisionToRecord = z.strictObject({
  decisionId: identifier.optional(),
  ...statedDecision,
});

/** A verdict on a pending decision. */
export const decisionVerdict = z.strictObject({ decisionId: existingId, reason });

const decisionRecorded = defineClientEvent(
  'DecisionRecorded',
  z.strictObject({ decisionId: identifier, ...statedDecision }),
  {
    line: ({ requiresApproval, decisionId, decision, supersedes }) =>
      `${requiresApproval ? 'proposed' : 'decided'} ${decisionId}: ${decision}${optionalText(' (supersedes ', supersedes, ')')}`,
    idMember: 'decisionId',
    client: { command: 'RecordDecision', payload: decisionToRecord },
    history: { version: 2, upcasts: { 1: upcast(decisionRecordedV1, (data) => data) } },
  },
);

/** `topic` and `supersedes` repeat those of the decision, so that the event alone determines which items it changes. */
const decisionApproved = defineClientEvent(
  'DecisionApproved',
  z.strictObject({
    decisionId: identifier,
    topic: identifier.optional(),
    supersedes: identifier.optional(),
    reason,
  }),
  {
    line: ({ decisionId, reason: why }) => `approved ${decisionId}${optionalText(': ', why)}`,
    client: { command: 'ApproveDecision', payload: decisionVerdict },
  },
);

const decisionRejected = defineClientEvent(
  'DecisionRejected',
  z.strictObject({ decisionId: identifier, reason }),
  {
    line: ({ decisionId, reason: why }) => `rejected ${decisionId}${optionalText(': ', why)}`,
    client: { command: 'RejectDecision', payload: decisionVerdict },
  },
);

export const decisionEvents = [decisionRecorded, decisionApproved, decisionRejected] as const;

export const decisionItemKinds = [
  defineItemKind('decision', {
    rulesReadBody: true,
    isTraced: true,
    view: {
      section: 'decisions',
      heading: ['decisionId', 'topic', 'supersedes', 'requiresApproval'],
    },
  }),
  defineItemKind('topic'),
  defineItemKind('counter'),
] as const;
