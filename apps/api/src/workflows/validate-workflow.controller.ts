import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ValidateWorkflowQuery } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { definitionBody, definitionExample, faultResponse } from './workflow.schema.js';

const validateWorkflow = endpoint({
  method: 'POST',
  path: '/v1/workflows/validate',
  tag: 'Workflows',
  summary: 'Validate a workflow definition',
  description:
    'Stores nothing. A definition without errors can be published; warnings report probable mistakes. Send the text of a definition as a JSON string to get lines and columns.',
  access: 'read',
  audience: 'none',
  body: definitionBody,
  answers: {
    200: {
      description: 'The result of the validation',
      schema: z.looseObject({
        valid: z.boolean(),
        errors: z.array(faultResponse),
        warnings: z.array(faultResponse),
        more: z.int().describe('The number of further faults that are not listed'),
      }),
    },
  },
  problems: ['validation-failed'],
  example: definitionExample,
});

@Controller()
export class ValidateWorkflowController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(validateWorkflow)
  async validateWorkflow(
    @Input(validateWorkflow) { principal, body }: InputOf<typeof validateWorkflow>,
  ): Promise<Answer> {
    const query = new ValidateWorkflowQuery(principal, body);
    const { faults, more, definition } = await this.queries.execute(query);
    return new Answer(200, {
      valid: definition !== undefined,
      errors: faults.filter(({ severity }) => severity === 'error'),
      warnings: faults.filter(({ severity }) => severity === 'warning'),
      more,
    });
  }
}
