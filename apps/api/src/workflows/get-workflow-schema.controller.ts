import { Controller } from '@nestjs/common';
import { z } from 'zod';

import { workflowJsonSchema } from '#workflow';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';

const getWorkflowSchema = endpoint({
  method: 'GET',
  path: '/schemas/workflow-definition.json',
  tag: 'Workflows',
  summary: 'Read the JSON Schema of workflow definitions',
  description: 'For editors: use its URL as `$schema` in a definition.',
  access: 'public',
  audience: 'none',
  answers: { 200: { description: 'The schema', schema: z.looseObject({}) } },
});

@Controller()
export class GetWorkflowSchemaController {
  readonly #schema = workflowJsonSchema();

  @Handles(getWorkflowSchema)
  getWorkflowSchema(): Answer {
    return new Answer(200, this.#schema);
  }
}
