import { z } from 'zod';

export const deadLetterResponse = z.object({
  id: z.uuid(),
  projection: z.string(),
  workspace: z.string(),
  contextId: z.string(),
  version: z.int().meta({ description: 'The version of the event that could not be applied' }),
  position: z.string(),
  eventId: z.string().nullable(),
  type: z.string().nullable(),
  error: z.string(),
  attempts: z.int(),
  parkedAt: z.string(),
  triedAt: z.string(),
});
