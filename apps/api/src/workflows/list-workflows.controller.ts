import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListWorkflowsQuery } from '#application';

import { Answer } from '../http/answer.js';
import { listAnswer } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { pageQuery } from '../http/query.schema.js';
import { workflowResponse } from './workflow.schema.js';

const listWorkflows = endpoint({
  method: 'GET',
  path: '/v1/workflows',
  tag: 'Workflows',
  summary: 'List the workflows of the workspace',
  description: 'The current version of each, sorted by id, without the definition itself.',
  access: 'read',
  audience: 'none',
  query: z.strictObject(pageQuery),
  answers: { 200: listAnswer('A page of workflows', workflowResponse) },
  problems: ['validation-failed'],
});

@Controller()
export class ListWorkflowsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listWorkflows)
  async listWorkflows(
    @Input(listWorkflows) { principal, query }: InputOf<typeof listWorkflows>,
  ): Promise<Answer> {
    return new Answer(200, await this.queries.execute(new ListWorkflowsQuery(principal, query)));
  }
}
