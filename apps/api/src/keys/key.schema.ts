import { z } from 'zod';

import { roles } from '#application';

/** A key without its secret; only the answer to its creation contains the secret. */
export const keyResponse = z.looseObject({
  keyId: z.string(),
  role: z.enum(roles),
  workspace: z.string(),
  agentId: z.string().nullable(),
  audiences: z.array(z.string()),
  actsFor: z.array(z.string()),
  contexts: z.array(z.string()).nullable(),
  workflows: z.array(z.string()).nullable(),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  revokedAt: z.iso.datetime().nullable(),
});
