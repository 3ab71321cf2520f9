import { z } from 'zod';

export const deadLetterSchema = z.looseObject({
  id: z.string(),
  workspace: z.string(),
  contextId: z.string(),
  version: z.number(),
  type: z.string().nullable(),
  error: z.string(),
  attempts: z.number(),
  parkedAt: z.string(),
});

export const retriedSchema = z.looseObject({
  done: z.boolean(),
  deadLetter: deadLetterSchema.optional(),
});
