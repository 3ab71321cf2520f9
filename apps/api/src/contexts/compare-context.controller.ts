import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { CompareContextQuery } from '#application';

import { Answer, versioned } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { audienceQuery, pageQuery, position } from '../http/query.schema.js';
import { contextDifference } from './context-difference.schema.js';

const compareContext = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/diff',
  tag: 'Contexts',
  summary: 'Compare a context at two positions',
  description:
    'A semantic difference, not a JSON patch: decisions made and superseded, outputs replaced, artifacts, values, current state. A value that changed and changed back is not a difference. A page contains the changes of at most `limit` events of the range, as of the end of the range, and at most 8 MiB; the current state is on the first page. Later pages have the same range.',
  access: 'read',
  audience: 'gated',
  cost: 'context',
  query: z.strictObject({
    from: position('A version (0 is before the first), or an RFC 3339 time with offset'),
    to: position('Like `from`; the current version if omitted').optional(),
    ...audienceQuery,
    ...pageQuery,
  }),
  answers: {
    200: {
      description: 'A page of the difference',
      schema: z.looseObject({
        contextId: z.string(),
        from: z.int(),
        to: z.int(),
        ...contextDifference.shape,
        nextCursor: z.string().nullable(),
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
    const { tag, difference, nextCursor, ...range } = await this.queries.execute(
      new CompareContextQuery({ principal, ...params, ...query, signal }),
    );
    return versioned({ version: range.to, tag }, { ...range, ...difference, nextCursor });
  }
}
