import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListDecisionsQuery } from '#application';
import { identifier } from '#shared-context';

import { Answer, versioned } from '../http/answer.js';
import { listAnswer, readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { asOfQuery, audienceQuery, flag, pageQuery } from '../http/query.schema.js';

const listDecisions = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/decisions',
  tag: 'Decisions',
  summary: 'List decisions, oldest first',
  access: 'read',
  audience: 'gated',
  query: z.strictObject({
    live: flag('true for live decisions only, false for the others only').optional(),
    topic: identifier.optional(),
    ...asOfQuery,
    ...audienceQuery,
    ...pageQuery,
  }),
  answers: { 200: { ...listAnswer('A page of decisions'), headers: ['ETag'] } },
  problems: readProblems,
});

@Controller()
export class ListDecisionsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listDecisions)
  async listDecisions(@Input(listDecisions) input: InputOf<typeof listDecisions>): Promise<Answer> {
    const { principal, params, query, signal } = input;
    const request = { principal, ...params, ...query, signal };
    const { page, ...metadata } = await this.queries.execute(new ListDecisionsQuery(request));
    return versioned(metadata, page);
  }
}
