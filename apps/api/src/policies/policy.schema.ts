import { z } from 'zod';

import { policySchema } from '#context-views';

/** `version` 0: as built in. */
export const policyView = z.strictObject({
  audience: z.string(),
  version: z.int(),
  builtIn: z.boolean(),
  ...policySchema.shape,
});
