import { Controller } from '@nestjs/common';
import { z } from 'zod';

import { readWorkflow } from '#workflow';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { definitionBody, definitionExample, faultShown } from './workflow.schema.js';

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
        errors: z.array(faultShown),
        warnings: z.array(faultShown),
        more: z.int().describe('How many faults there are beside these'),
      }),
    },
  },
  problems: ['validation-failed'],
  example: definitionExample,
});

@Controller()
export class ValidateWorkflowController {
  @Handles(validateWorkflow)
  validateWorkflow(@Input(validateWorkflow) { body }: InputOf<typeof validateWorkflow>): Answer {
    const { faults, more, definition } = readWorkflow(body);
    return new Answer(200, {
      valid: definition !== undefined,
      errors: faults.filter(({ severity }) => severity === 'error'),
      warnings: faults.filter(({ severity }) => severity === 'warning'),
      more,
    });
  }
}
