import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { PublishWorkflowCommand } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import {
  definitionBody,
  definitionExample,
  faultResponse,
  workflowResponse,
} from './workflow.schema.js';

const published = workflowResponse.extend({ warnings: z.array(faultResponse) });

const publishWorkflow = endpoint({
  method: 'POST',
  path: '/v1/workflows',
  tag: 'Workflows',
  summary: 'Publish a definition of a workflow',
  description:
    'Runs that start from now on follow it; runs that have started keep their version. The hash of its content names a version: the same content has the same version, and is in force again if another one was. A definition with errors is refused with all of them; warnings are part of the answer. Needs the audience "all".',
  access: 'write',
  audience: 'whole',
  body: definitionBody,
  answers: {
    201: { description: 'A new version is in force', schema: published },
    200: {
      description: 'This content has a version already, which is in force',
      schema: published,
    },
  },
  problems: ['forbidden', 'validation-failed'],
  example: definitionExample,
});

@Controller()
export class PublishWorkflowController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(publishWorkflow)
  async publishWorkflow(
    @Input(publishWorkflow) { principal, body }: InputOf<typeof publishWorkflow>,
  ): Promise<Answer> {
    const command = new PublishWorkflowCommand(principal, body);
    const { view, outcome, warnings } = await this.commands.execute(command);
    return new Answer(outcome === 'stored' ? 201 : 200, { ...view, warnings });
  }
}
