import { z } from 'zod';

import { defineServerEvent, optionalText } from '../context-event.js';
import { text } from '../payload.schema.js';
import { author, count, moment, ofVisit, reason } from './run.payload.js';

const ofApproval = {
  ...ofVisit,
  /** `<runId>~<stepId>~<visit>`, and `~<attempt>` if it is about an attempt in doubt. Unique in its context. */
  approvalId: text.max(1_000),
  /** The attempt in doubt; absent if the step itself is an approval. */
  attempt: count.optional(),
};

/** `authors`: the authors of the work, who may not decide. `byDefault`: the decision if the approval expires. */
const approvalRequested = defineServerEvent(
  'ApprovalRequested',
  z.strictObject({
    ...ofApproval,
    message: reason,
    authors: z.array(author).max(100),
    expiresAt: moment.optional(),
    byDefault: z.enum(['approve', 'reject', 'fail']).optional(),
  }),
  { line: ({ path, message }) => `approval of ${path} requested: ${message}` },
);

const approvalDecisions = [
  ...(['approved', 'rejected', 'expired', 'withdrawn'] as const),
  ...(['retry', 'skip', 'output', 'fail'] as const),
] as const;
export type ApprovalDecision = (typeof approvalDecisions)[number];

/**
 * `expired`: no person decided in time, so the default applies. For the decision `output`, the next event adds the
 * output.
 */
const approvalDecided = defineServerEvent(
  'ApprovalDecided',
  z.strictObject({
    ...ofApproval,
    decision: z.enum(approvalDecisions),
    comment: reason.optional(),
    expired: z.literal(true).optional(),
  }),
  {
    line: ({ path, decision, expired, comment }) =>
      `approval of ${path}: ${decision}${expired ? ' by default' : ''}${optionalText(': ', comment)}`,
  },
);

export const approvalEvents = [approvalRequested, approvalDecided] as const;
