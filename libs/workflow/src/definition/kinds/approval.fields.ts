import { z } from 'zod';

import { type Route } from '../compiled-parts.js';
import { route } from '../fields.schema.js';
import { duration, text } from '../names.schema.js';

const expiryDecisions = ['approve', 'reject', 'fail'] as const;

export const approvalFields = {
  message: text.min(1).optional(),
  on_approve: route.optional(),
  on_reject: route.optional(),
  /** What is decided if nobody decides in time; without it the approval waits for ever. */
  expiry: z
    .strictObject({ after_ms: duration, default: z.enum(expiryDecisions).optional() })
    .optional(),
};
const shape = z.object(approvalFields);

export type ApprovalFields = Readonly<z.output<typeof shape>>;
export type ApprovalWork = Readonly<{
  message: string;
  onApprove: Route | undefined;
  /** Undefined: a rejection ends the run as rejected. */
  onReject: Route | undefined;
  expiry: Readonly<{ afterMs: number; decision: (typeof expiryDecisions)[number] }> | undefined;
}>;
