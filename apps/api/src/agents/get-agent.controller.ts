import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';

import { FindAgentQuery } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { agentResponse } from './agent.schema.js';

const getAgent = endpoint({
  method: 'GET',
  path: '/v1/agents/{agentId}',
  tag: 'Agents',
  summary: 'Read the registration and the contract of an agent',
  access: 'read',
  audience: 'none',
  answers: { 200: { description: 'The agent', schema: agentResponse } },
  problems: ['not-found', 'validation-failed'],
});

@Controller()
export class GetAgentController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getAgent)
  async getAgent(
    @Input(getAgent) { principal, params }: InputOf<typeof getAgent>,
  ): Promise<Answer> {
    return new Answer(
      200,
      await this.queries.execute(new FindAgentQuery(principal, params.agentId)),
    );
  }
}
