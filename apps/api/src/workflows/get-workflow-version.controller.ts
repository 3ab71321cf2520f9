import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';

import { FindWorkflowQuery } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { fullWorkflowResponse } from './workflow.schema.js';

const getWorkflowVersion = endpoint({
  method: 'GET',
  path: '/v1/workflows/{definitionId}/versions/{version}',
  tag: 'Workflows',
  summary: 'Read a version of a workflow',
  description: 'Returns the version as it was first published, whether it is current or not.',
  access: 'read',
  audience: 'none',
  answers: { 200: { description: 'The version', schema: fullWorkflowResponse } },
  problems: ['not-found', 'validation-failed'],
});

@Controller()
export class GetWorkflowVersionController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getWorkflowVersion)
  async getWorkflowVersion(
    @Input(getWorkflowVersion) { principal, params }: InputOf<typeof getWorkflowVersion>,
  ): Promise<Answer> {
    const { definitionId, version } = params;
    const query = new FindWorkflowQuery(principal, definitionId, Number(version));
    return new Answer(200, await this.queries.execute(query));
  }
}
