import { z } from 'zod';

import { sections, tokenizerNames } from '#context-views';
import { agentId, identifier } from '#shared-context';

import { wholeNumber } from '../http/query.schema.js';

const highestBudget = 10_000_000;

export const tokenizer = z.enum(tokenizerNames);

export const agentQuery = {
  agent: agentId.optional().meta({
    description:
      'The agent that reads, for focus=handover the one that takes over; by default the agent of the key. A key that neither acts for it nor reads for the audience all reads as its own agent',
  }),
};

/** What a view may be asked to be; left out, what reader, workspace or server have as default. */
export const viewQuery = {
  maxTokens: wholeNumber(
    { minimum: 1, maximum: highestBudget },
    'The most tokens the text may have; by default 50,000',
  ).optional(),
  tokenizer: tokenizer.optional().meta({
    description: 'How tokens are counted, exactly; chars4 is characters / 4. By default o200k_base',
  }),
  wholeOutputs: wholeNumber(
    { minimum: 0, maximum: 100 },
    'How many of the newest step outputs stay whole while they fit; by default 3',
  ).optional(),
  overflow: z.enum(['refuse', 'minimum']).optional().meta({
    description:
      'What is done if not even title, state and a reference to all there is fit: answer 422, or show what of these fits',
  }),
  sections: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(sections)).min(1))
    .optional()
    .meta({ description: `Only these, separated by commas: ${sections.join(', ')}` }),
  focus: z
    .string()
    .regex(/^(handover|retrospective|rework(:.{1,256})?)$/u, {
      error: 'must be handover, rework or retrospective',
    })
    .optional()
    .meta({
      description:
        'handover: for the agent taking over; rework: what a subject needs to be done again; retrospective: a parent over its children',
    }),
  subject: identifier.optional().meta({
    description: 'What is to be reworked: an artifact, a step or a task',
  }),
  ...agentQuery,
  since: wholeNumber(
    { minimum: 0, maximum: 2_147_483_647 },
    'The version the one taking over has read; by default the newest that its work cites, else the one it wrote last',
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
      'Where there is something to say beside the text: why there is no summary by a model of what is told shortened',
  }),
});
