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
  summary: 'Say what is wrong with a definition of a workflow',
  description:
    'Stores nothing. A definition without errors can be published; warnings name what may not be what its author means. Send the text of a definition as one string to get lines and columns.',
  access: 'read',
  audience: 'none',
  body: definitionBody,
  answers: {
    200: {
      description: 'What was found',
      schema: z.looseObject({
        valid: z.boolean(),
        errors: z.array(faultResponse),
        warnings: z.array(faultResponse),
        more: z.int().describe('How many faults there are beside these'),
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
