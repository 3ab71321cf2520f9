import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { InvalidJsonError, UnfitJsonError } from '../json/json.errors.js';
import { readStrictJson } from '../json/strict-json.js';

const maxWordsLength = 500;
const maxPatternLength = 8_000;

/** Query parameters of the search over contexts. */
export const searchQuery = {
  q: z.string().max(maxWordsLength).optional().meta({
    description:
      'Words that must all occur in the context; "a phrase", -excluded, or; punctuation and case are ignored',
  }),
  contains: z
    .string()
    .max(maxPatternLength)
    .transform(readPattern)
    .optional()
    .meta({
      documented: {
        type: 'string',
        description:
          'A JSON object in the shape of the document; the context must contain its values',
      },
    }),
};

/** Parses a pattern as strictly as a request body, because it is compared with values that were stored from bodies. */
function readPattern(text: string, context: z.RefinementCtx): JsonObject {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  try {
    const { value } = readStrictJson(Buffer.from(text));
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return refuse('must be a JSON object');
    // The cast is safe: arrays are refused above, but the compiler does not narrow a readonly array.
    return value as JsonObject;
  } catch (error) {
    if (error instanceof UnfitJsonError || error instanceof InvalidJsonError)
      return refuse(`must be JSON: ${error.message}`);
    throw error;
  }
}
