import { z } from 'zod';

import { policySchema } from '#visibility';

/** The body of `PUT`: a policy alone, or the whole answer of `GET`. */
export const policyToSet = policySchema.extend({
  audience: z.string().optional().meta({ description: 'As in the path' }),
  version: z.int().optional().meta({ description: 'As it was read' }),
  builtIn: z.boolean().optional().meta({ description: 'As it was read' }),
});

/** `version` 0: as built in. */
export const policyView = z.strictObject({
  audience: z.string(),
  version: z.int(),
  builtIn: z.boolean(),
  ...policySchema.shape,
});
