import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { RenderPromptQuery } from '#application';
import { templateLimits, tokenizerNames } from '#context-views';
import { type JsonValue } from '#event-sourcing';
import { agentId } from '#shared-context';

import { Answer, etagOf } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { audienceName } from '../http/query.schema.js';

const maxBudget = 10_000_000;
const maxRequired = 64;

const tokenizer = z.enum(tokenizerNames);

const promptRequest = z
  .strictObject({
    template: z.string().optional().meta({ description: 'The text of the template' }),
    agent: agentId.optional().meta({
      description:
        'A registered agent, for its template (unless one is sent), its persona and the inputs of its contract. A key that may act for it, or that reads for the audience all, reads as this agent',
    }),
    input: z
      .custom<JsonValue>((value) => value !== undefined)
      .optional()
      .meta({ description: 'Any JSON value, available as `input` in the template' }),
    requiredInputs: z.array(z.string().min(1)).max(maxRequired).optional().meta({
      description:
        'Paths that must have a value: input.ticket, context.plan, analyst.outputs.brief',
    }),
    audience: audienceName.optional().meta({
      description: 'The audience to read for: one that the key is bound to, by default the first',
    }),
    asOf: z
      .union([z.string(), z.int().min(0).transform(String)])
      .optional()
      .meta({ description: 'A version, or an RFC 3339 time with offset' }),
    maxTokens: z.int().min(1).max(maxBudget).optional().meta({
      description: 'The maximum number of tokens of the text; unlimited by default',
    }),
    tokenizer: tokenizer.optional().meta({
      description: 'The tokenizer for counting, which is exact; chars4 is characters / 4',
    }),
    strict: z.boolean().optional().meta({
      description:
        'true: refuse (422) if any path of the template has no value; false: never refuse, not even for a missing required input; omitted: refuse only for a missing required input',
    }),
  })
  .refine(({ template, agent }) => template !== undefined || agent !== undefined, {
    error: 'is required unless an agent is named',
    path: ['template'],
  });

const rendered = z.strictObject({
  text: z.string(),
  tokens: z.int(),
  tokenizer,
  version: z.int().min(1),
  audience: z.string(),
  agent: z.strictObject({ agentId: z.string(), version: z.int().min(1) }).nullable(),
  checklist: z.array(
    z.strictObject({ path: z.string(), present: z.boolean(), required: z.boolean() }),
  ),
  missing: z.array(z.string()).meta({
    description: `Paths of the template that rendered as empty text because they have no value, at most ${templateLimits.missing}`,
  }),
  receipt: z.string(),
});

const renderPrompt = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/prompt',
  tag: 'Views',
  summary: 'Render a prompt from the content of a context',
  description:
    'Inserts content that the audience may read into a template, as data: content of others is in fences that it cannot close, and is never rendered as a template. If a required input is missing, the request is refused with its path. Writes nothing.',
  access: 'read',
  audience: 'gated',
  cost: 'context',
  body: plainBody(promptRequest, { stored: false }),
  answers: {
    200: {
      description: 'The prompt; its receipt is also in the header',
      schema: rendered,
      headers: ['ETag', 'Receipt'],
    },
  },
  problems: [...readProblems, 'not-found', 'budget-too-small'],
  example: {
    template:
      'Build {{input.feature}} for {{document.title}}.\n\n{{#if context.plan}}{{context.plan}}{{/if}}',
    input: { feature: 'a dark mode' },
    requiredInputs: ['input.feature'],
  },
});

@Controller()
export class RenderPromptController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(renderPrompt)
  async renderPrompt(
    @Input(renderPrompt) { principal, signal, params, body }: InputOf<typeof renderPrompt>,
  ): Promise<Answer> {
    const { tag, ...prompt } = await this.queries.execute(
      new RenderPromptQuery({ principal, signal, contextId: params.contextId, ...body }),
    );
    const headers = { ETag: etagOf(prompt.version, tag), Receipt: prompt.receipt };
    return new Answer(200, prompt, headers);
  }
}
