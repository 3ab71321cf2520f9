import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { FindStepOutputQuery, ListStepOutputsQuery } from '#application';

import { type Answer, sharedVersioned, versioned } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { asOfQuery, audienceQuery, flag, pageQuery, wholeNumber } from '../http/query.schema.js';

const longestWait = 60;

const getStepOutput = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/step-outputs/{stepId}',
  tag: 'Steps',
  summary: 'Read the output of a step',
  description:
    'JSON null while the step has not completed. With all=true a list of every output, oldest first.',
  access: 'read',
  audience: 'gated',
  query: z.strictObject({
    all: flag('Every output instead of the latest').optional(),
    wait: wholeNumber(
      { minimum: 0, maximum: longestWait },
      'Seconds to wait for the first output, answered as soon as it is there',
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
    return input.query.all ? this.#every(input) : this.#latest(input);
  }

  async #every({ principal, params, query, signal }: StepOutputInput): Promise<Answer> {
    const { asOf, audience, limit, cursor } = query;
    const request = { principal, ...params, asOf, audience, limit, cursor, signal };
    const { page, ...seen } = await this.queries.execute(new ListStepOutputsQuery(request));
    return versioned(seen, page);
  }

  async #latest({ principal, params, query, signal }: StepOutputInput): Promise<Answer> {
    const { asOf, audience, wait: waitSeconds = 0 } = query;
    const request = { principal, ...params, asOf, audience, waitSeconds, signal };
    const { output, ...seen } = await this.queries.execute(new FindStepOutputQuery(request));
    return sharedVersioned(seen, output);
  }
}
