import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListPoliciesQuery } from '#application';

import { Answer } from '../http/answer.js';
import { listAnswer } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { pageQuery } from '../http/query.schema.js';
import { listedPolicy } from './policy.schema.js';

const listPolicies = endpoint({
  method: 'GET',
  path: '/v1/policies',
  tag: 'Policies',
  summary: 'List the policies of the workspace',
  description:
    'The current policy of each audience, built in or defined, sorted by audience. `events` states how much the audience sees of each type of events. A page ends early if its policies are large. Needs the audience "all".',
  access: 'read',
  audience: 'whole',
  query: z.strictObject(pageQuery),
  answers: { 200: listAnswer('A page of policies', listedPolicy) },
  problems: ['forbidden', 'validation-failed'],
});

@Controller()
export class ListPoliciesController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listPolicies)
  async listPolicies(
    @Input(listPolicies) { principal, query }: InputOf<typeof listPolicies>,
  ): Promise<Answer> {
    return new Answer(200, await this.queries.execute(new ListPoliciesQuery(principal, query)));
  }
}
