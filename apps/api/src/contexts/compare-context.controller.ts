import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { CompareContextQuery } from '#application';

import { Answer, versioned } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { audienceQuery, position } from '../http/query.schema.js';
import { contextDifference } from './context-difference.schema.js';

const compareContext = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/diff',
  tag: 'Contexts',
  summary: 'What became of a context between two positions',
  description:
    'Decisions made and superseded, outputs replaced, artifacts, values, state: in words of the context, not a JSON patch. What changed and changed back is no difference.',
  access: 'read',
  audience: 'gated',
  cost: 'context',
  query: z.strictObject({
    from: position('A version (0 is before the first), or an RFC 3339 time with offset'),
    to: position('As from; now when left out').optional(),
    ...audienceQuery,
  }),
  answers: {
    200: {
      description: 'The difference',
      schema: z.looseObject({
        contextId: z.string(),
        from: z.int(),
        to: z.int(),
        ...contextDifference.shape,
      }),
      headers: ['ETag'],
    },
  },
  problems: readProblems,
});

@Controller()
export class CompareContextController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(compareContext)
  async compareContext(
    @Input(compareContext) input: InputOf<typeof compareContext>,
  ): Promise<Answer> {
    const { principal, params, query, signal } = input;
    const { contextId, from, to, tag, difference } = await this.queries.execute(
      new CompareContextQuery({ principal, ...params, ...query, signal }),
    );
    return versioned({ version: to, tag }, { contextId, from, to, ...difference });
  }
}
