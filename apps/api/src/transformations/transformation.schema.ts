import { z } from 'zod';

import { transformationDefinition } from '#transformations';

/** The current version of a transformation, and who stored it. */
export const transformationResponse = z.looseObject({
  transformationId: z.string(),
  version: z.int().min(1),
  ...transformationDefinition.shape,
  changedAt: z.iso.datetime(),
  changedBy: z.string(),
});
