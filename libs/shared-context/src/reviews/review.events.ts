import { z } from 'zod';

import { upcast } from '#event-sourcing';

import { defineClientEvent } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { agentId, existingId, identifier, text } from '../payload.schema.js';
import { severities } from '../severity.js';

const reviewStatuses = [
  'APPROVED',
  'APPROVED_WITH_FIXES',
  'REJECTED_WITH_FEEDBACK',
  'BLOCKED',
] as const;

/** Outcomes of a quality gate, spelled as in gate files. */
const gateOutcomes = ['PASS', 'CONCERNS', 'FAIL', 'WAIVED'] as const;

const maxIssues = 500;
const place = text.max(10_000);

const verdict = {
  artifact: place,
  iteration: z.int().min(1).optional(),
  /** Default: the author of the event. */
  reviewer: agentId.optional(),
  participants: z.array(identifier).max(100).optional(),
  status: z.enum(reviewStatuses),
};

const consequences = {
  /** Issues of earlier reviews that are resolved according to this one. */
  addresses: z.array(existingId).max(maxIssues).optional(),
  reviewFile: place.optional(),
};

/** The outcome of the reviewed gate, and the reason for it or for its waiver. */
const gate = {
  gate: z.enum(gateOutcomes).optional(),
  reason: text.max(10_000).optional(),
};

const keyIssue = z.strictObject({ issueId: identifier, severity: z.enum(severities), text });

const issueToRaise = z.strictObject({
  issueId: identifier.optional(),
  severity: z.enum(severities).optional(),
  text,
});

const reviewOfVersion1 = {
  reviewId: identifier,
  ...verdict,
  keyIssues: z.array(keyIssue).max(maxIssues),
  ...consequences,
};

const reviewRecordedV1 = z.strictObject(reviewOfVersion1);

const statedReview = {
  ...verdict,
  keyIssues: z.array(issueToRaise).max(maxIssues).optional(),
  ...consequences,
  ...gate,
};

/** A review as a command: the decider adds missing ids and severities of issues. */
export const identifiedReview = z.strictObject({ reviewId: identifier, ...statedReview });

/** The members that a client may send; the server creates the id if it is left out. */
const reviewToRecord = z.strictObject({ reviewId: identifier.optional(), ...statedReview });

/** If a review names a known issue of the same artifact, the issue is open again, with its new content. */
export const reviewRecorded = defineClientEvent(
  'ReviewRecorded',
  z.strictObject({ ...reviewOfVersion1, ...gate }),
  {
    line: ({ reviewId, artifact, status, keyIssues }) =>
      `review ${reviewId} of ${artifact}: ${status}${keyIssues.length === 0 ? '' : `, issues: ${keyIssues.length}`}`,
    idMember: 'reviewId',
    client: { command: 'RecordReview', payload: reviewToRecord, claimedAgent: 'reviewer' },
    history: { version: 2, upcasts: { 1: upcast(reviewRecordedV1, (data) => data) } },
  },
);

export const reviewEvents = [reviewRecorded] as const;

export const reviewItemKinds = [
  defineItemKind('review', {
    rulesReadBody: true,
    view: { section: 'reviews', heading: ['reviewId', 'status'] },
  }),
  defineItemKind('newest-review', { isTraced: true }),
  defineItemKind('issue', { rulesReadBody: true }),
] as const;
