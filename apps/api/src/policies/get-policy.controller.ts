import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';

import { FindPolicyQuery } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { policyView } from './policy.schema.js';

const getPolicy = endpoint({
  method: 'GET',
  path: '/v1/policies/{audience}',
  tag: 'Policies',
  summary: 'Read the policy of an audience',
  description:
    'The current version; version 0 is built in. The audiences all, developer, reviewer, failure-analyst and retrospective are built in.',
  access: 'read',
  audience: 'none',
  answers: { 200: { description: 'The current policy', schema: policyView } },
  problems: ['not-found'],
});

@Controller()
export class GetPolicyController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getPolicy)
  async getPolicy(@Input(getPolicy) input: InputOf<typeof getPolicy>): Promise<Answer> {
    const query = new FindPolicyQuery(input.principal, input.params.audience);
    return new Answer(200, await this.queries.execute(query));
  }
}
