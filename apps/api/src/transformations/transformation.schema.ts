import { z } from 'zod';

import { transformationDefinition } from '#transformations';

/** A transformation as it stands, and who made it so. */
export const transformationResponse = z.looseObject({
  transformationId: z.string(),
  version: z.int().min(1),
  ...transformationDefinition.shape,
  changedAt: z.iso.datetime(),
  changedBy: z.string(),
});
