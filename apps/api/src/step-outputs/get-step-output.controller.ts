import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { FindStepOutputQuery, ListStepOutputsQuery } from '#application';

import { type Answer, sharedVersioned, versioned } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { asOfQuery, audienceQuery, flag, pageQuery, wholeNumber } from '../http/query.schema.js';

const maxWaitSeconds = 60;

const getStepOutput = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/step-outputs/{stepId}',
  tag: 'Steps',
  summary: 'Read the output of a step',
  description:
    'JSON null if the step has no output yet. With all=true, a list of all outputs, oldest first.',
  access: 'read',
  audience: 'gated',
  query: z.strictObject({
    all: flag('All outputs instead of the latest').optional(),
    wait: wholeNumber(
      { minimum: 0, maximum: maxWaitSeconds },
      'Seconds to wait for the first output; the answer is sent as soon as there is one',
    ).optional(),
    ...asOfQuery,
    ...audienceQuery,
    ...pageQuery,
  }),
  answers: {
    200: {
      description: 'The latest output, or null',
      schema: z
        .object({
          stepId: z.string(),
          output: z.unknown(),
          name: z.string().nullable(),
          version: z.int(),
          recordedAt: z.iso.datetime(),
          recordedBy: z.string(),
        })
        .nullable(),
      headers: ['ETag'],
    },
  },
  problems: readProblems,
});

type StepOutputInput = InputOf<typeof getStepOutput>;

@Controller()
export class GetStepOutputController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getStepOutput)
  getStepOutput(@Input(getStepOutput) input: StepOutputInput): Promise<Answer> {
    return input.query.all ? this.#all(input) : this.#latest(input);
  }

  async #all({ principal, params, query, signal }: StepOutputInput): Promise<Answer> {
    const { asOf, audience, limit, cursor } = query;
    const request = { principal, ...params, asOf, audience, limit, cursor, signal };
    const { page, ...metadata } = await this.queries.execute(new ListStepOutputsQuery(request));
    return versioned(metadata, page);
  }

  async #latest({ principal, params, query, signal }: StepOutputInput): Promise<Answer> {
    const { asOf, audience, wait: waitSeconds = 0 } = query;
    const request = { principal, ...params, asOf, audience, waitSeconds, signal };
    const { output, ...metadata } = await this.queries.execute(new FindStepOutputQuery(request));
    return sharedVersioned(metadata, output);
  }
}
