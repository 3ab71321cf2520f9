import { z } from 'zod';

import { policySchema } from '#visibility';

/** The body of `PUT`: a policy, or the complete answer of `GET`. */
export const policyToSet = policySchema.extend({
  audience: z.string().optional().meta({ description: 'The audience in the path' }),
  version: z.int().optional().meta({ description: 'From the answer of GET; ignored' }),
  builtIn: z.boolean().optional().meta({ description: 'From the answer of GET; ignored' }),
});

/** The answer of `GET`; version 0 is built in. */
export const policyView = z.strictObject({
  audience: z.string(),
  version: z.int(),
  builtIn: z.boolean(),
  ...policySchema.shape,
});
