import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListAgentsQuery } from '#application';

import { Answer } from '../http/answer.js';
import { listAnswer } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { pageQuery } from '../http/query.schema.js';
import { agentResponse } from './agent.schema.js';

const listAgents = endpoint({
  method: 'GET',
  path: '/v1/agents',
  tag: 'Agents',
  summary: 'List the agents of the workspace',
  description: 'The current registration of each agent, in the order of first registration.',
  access: 'read',
  audience: 'none',
  query: z.strictObject(pageQuery),
  answers: { 200: listAnswer('A page of agents', agentResponse) },
  problems: ['validation-failed'],
});

@Controller()
export class ListAgentsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listAgents)
  async listAgents(
    @Input(listAgents) { principal, query }: InputOf<typeof listAgents>,
  ): Promise<Answer> {
    return new Answer(200, await this.queries.execute(new ListAgentsQuery(principal, query)));
  }
}
