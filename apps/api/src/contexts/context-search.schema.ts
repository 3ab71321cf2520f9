import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { InvalidJsonError, UnfitJsonError } from '../json/json.errors.js';
import { readStrictJson } from '../json/strict-json.js';

const longestWords = 500;
const longestPattern = 8_000;

/** What contexts may be searched for. */
export const searchQuery = {
  q: z.string().max(longestWords).optional().meta({
    description:
      'Words that all occur in the context, "a phrase", -not, or; letters and digits count, case does not',
  }),
  contains: z
    .string()
    .max(longestPattern)
    .transform(readPattern)
    .optional()
    .meta({
      documented: {
        type: 'string',
        description: 'JSON in the shape of the document that it must contain',
      },
    }),
};

/** Read as a body is: a pattern is compared with what was stored from one. */
function readPattern(text: string, context: z.RefinementCtx): JsonObject {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  try {
    const { value } = readStrictJson(Buffer.from(text));
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return refuse('must be a JSON object');
    // An array was told apart above, which the type of JSON values does not follow.
    return value as JsonObject;
  } catch (error) {
    if (error instanceof UnfitJsonError || error instanceof InvalidJsonError)
      return refuse(`must be JSON: ${error.message}`);
    throw error;
  }
}
