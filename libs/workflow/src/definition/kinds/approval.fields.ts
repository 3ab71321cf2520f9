import { z } from 'zod';

import { type Route } from '../compiled-parts.js';
import { route } from '../fields.schema.js';
import { duration, text } from '../names.schema.js';

const expiryDecisions = ['approve', 'reject', 'fail'] as const;

export const approvalFields = {
  message: text.min(1).describe('The question for the person. Default: Approve?').optional(),
  on_approve: route.describe('The next step after an approval. Default: next.').optional(),
  on_reject: route
    .describe('The next step after a rejection. Default: the run ends as rejected.')
    .optional(),
  expiry: z
    .strictObject({
      after_ms: duration,
      default: z
        .enum(expiryDecisions)
        .describe('The decision after that time. Default: reject.')
        .optional(),
    })
    .describe('Without it the approval waits until a person decides.')
    .optional(),
};
const shape = z.object(approvalFields);

export type ApprovalFields = Readonly<z.output<typeof shape>>;
export type ApprovalWork = Readonly<{
  message: string;
  onApprove: Route | undefined;
  /** If undefined, a rejection ends the run as rejected. */
  onReject: Route | undefined;
  expiry: Readonly<{ afterMs: number; decision: (typeof expiryDecisions)[number] }> | undefined;
}>;
