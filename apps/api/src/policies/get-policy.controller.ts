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
  summary: 'Read what an audience sees',
  description:
    'The version in force; 0 is the one built in. Built in are all, developer, reviewer, failure-analyst and retrospective.',
  access: 'read',
  audience: 'none',
  answers: { 200: { description: 'The policy in force', schema: policyView } },
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
