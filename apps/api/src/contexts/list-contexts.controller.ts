import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListContextsQuery, rfc3339Time } from '#application';
import { attentionReasons, contextId, identifier } from '#shared-context';

import { Answer } from '../http/answer.js';
import { listAnswer } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { pageQuery } from '../http/query.schema.js';
import { searchQuery } from './context-search.schema.js';

const listContexts = endpoint({
  method: 'GET',
  path: '/v1/contexts',
  tag: 'Contexts',
  summary: 'List contexts, newest first',
  description:
    'A created context is listed immediately; other fields, and search results, may be behind by X-Projection-Lag events.',
  access: 'read',
  audience: 'gated',
  query: z.strictObject({
    status: z.enum(['open', 'closed']).optional(),
    workflow: identifier.optional(),
    parent: contextId.optional(),
    agent: identifier.optional(),
    updatedSince: rfc3339Time.optional(),
    attention: z
      .enum(['any', ...attentionReasons])
      .optional()
      .meta({
        description:
          'Only open contexts that need a person for this reason, or for any; rows then have the member `attention` with all their reasons. A page may be short, or empty, before the last one: it examines at most 2,000 contexts. Needs the audience "all"',
      }),
    ...searchQuery,
    ...pageQuery,
  }),
  answers: { 200: { ...listAnswer('A page of contexts'), headers: ['X-Projection-Lag'] } },
  problems: ['validation-failed'],
});

@Controller()
export class ListContextsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listContexts)
  async listContexts(@Input(listContexts) input: InputOf<typeof listContexts>): Promise<Answer> {
    const { principal, signal, query } = input;
    const { attention: reason } = query;
    const attention = reason === 'any' ? attentionReasons : reason && [reason];
    const { page, lag } = await this.queries.execute(
      new ListContextsQuery({ principal, signal, ...query, attention }),
    );
    const headers = lag === null ? {} : { 'X-Projection-Lag': String(lag) };
    return new Answer(200, page, headers);
  }
}
