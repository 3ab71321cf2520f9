import { z } from 'zod';

import { sections, tokenizerNames } from '#context-views';
import { agentId, identifier } from '#shared-context';

import { wholeNumber } from '../http/query.schema.js';

const maxBudget = 10_000_000;

export const tokenizer = z.enum(tokenizerNames);

export const agentQuery = {
  agent: agentId.optional().meta({
    description:
      'The reading agent, which for focus=handover is the agent that takes over; by default the agent of the key. A key that may not act for it and does not read for the audience all reads as its own agent',
  }),
};

/** The options of a view; omitted options have the default of the reader, the workspace or the server. */
export const viewQuery = {
  maxTokens: wholeNumber(
    { minimum: 1, maximum: maxBudget },
    'The maximum number of tokens of the text; by default 50,000',
  ).optional(),
  tokenizer: tokenizer.optional().meta({
    description:
      'The tokenizer for counting, which is exact; chars4 is characters / 4. By default o200k_base',
  }),
  wholeOutputs: wholeNumber(
    { minimum: 0, maximum: 100 },
    'The number of newest step outputs that are not shortened while they fit; by default 3',
  ).optional(),
  overflow: z.enum(['refuse', 'minimum']).optional().meta({
    description:
      'The behavior if not even the title, the state and a reference to all content fit: refuse with 422, or return as much of these as fits',
  }),
  sections: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(sections)).min(1))
    .optional()
    .meta({ description: `Only these sections, separated by commas: ${sections.join(', ')}` }),
  focus: z
    .string()
    .regex(/^(handover|retrospective|rework(:.{1,256})?)$/u, {
      error: 'must be handover, rework or retrospective',
    })
    .optional()
    .meta({
      description:
        'handover: for an agent that takes over work; rework: for repeating the work on a subject; retrospective: for a parent, about its children',
    }),
  subject: identifier.optional().meta({
    description: 'The subject of the rework: an artifact, a step or a task',
  }),
  ...agentQuery,
  since: wholeNumber(
    { minimum: 0, maximum: 2_147_483_647 },
    'The version that the agent taking over has read; by default the newest version that its work cites, or else the version of its last write',
  ).optional(),
};

const viewItem = z.strictObject({
  ref: z.string(),
  form: z.enum(['whole', 'digest', 'line', 'rollup']),
  tokens: z.int(),
  fullTokens: z.int(),
});

export const viewAnswer = z.strictObject({
  text: z.string(),
  tokens: z.int(),
  maxTokens: z.int(),
  tokenizer,
  version: z.int(),
  audience: z.string(),
  items: z.array(viewItem),
  stablePrefixTokens: z.int(),
  receipt: z.string(),
  notes: z.array(z.string()).optional().meta({
    description:
      'Present if there are notes, such as the reason why shortened content has no summary by a model',
  }),
});
