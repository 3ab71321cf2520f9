import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';

import { FindWorkflowQuery } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { fullWorkflowResponse } from './workflow.schema.js';

const getWorkflow = endpoint({
  method: 'GET',
  path: '/v1/workflows/{definitionId}',
  tag: 'Workflows',
  summary: 'Read the current version of a workflow',
  access: 'read',
  audience: 'none',
  answers: { 200: { description: 'The workflow', schema: fullWorkflowResponse } },
  problems: ['not-found', 'validation-failed'],
});

@Controller()
export class GetWorkflowController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getWorkflow)
  async getWorkflow(
    @Input(getWorkflow) { principal, params }: InputOf<typeof getWorkflow>,
  ): Promise<Answer> {
    const query = new FindWorkflowQuery(principal, params.definitionId);
    return new Answer(200, await this.queries.execute(query));
  }
}
