import { z } from 'zod';

import { defineServerEvent } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { identifier, text } from '../payload.schema.js';

/** The maximum number of entries that one summary may cite. */
export const maxSources = 512;
/** The maximum length of a summary in UTF-16 code units. */
export const longestSummary = 65_536;

/** Versions of the context; inherited versions of a fork are below 1. */
const versions = z
  .strictObject({ from: z.int(), to: z.int() })
  .refine(({ from, to }) => from <= to, { error: 'must not end before it begins' });

/**
 * Text by a model about the versions `covers`, written from the `previous` summary and from `sources`, the refs of
 * entries that no earlier summary covers. It replaces none of them. `promptHash`: SHA-256 of the instructions for the
 * model.
 */
export const summaryAdded = defineServerEvent(
  'SummaryAdded',
  z.strictObject({
    summaryId: identifier,
    text: text.max(longestSummary),
    covers: versions,
    sources: z.array(text.max(4_096)).min(1).max(maxSources),
    previous: identifier.optional(),
    model: identifier,
    promptHash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'),
    tokens: z.strictObject({ input: z.int().min(0), output: z.int().min(0) }),
  }),
  {
    line: ({ summaryId, covers, model }) =>
      `summary ${summaryId} of versions ${covers.from} to ${covers.to} by ${model}`,
  },
);

export const summaryEvents = [summaryAdded] as const;

export const summaryItemKinds = [defineItemKind('summary'), defineItemKind('summarized')] as const;
