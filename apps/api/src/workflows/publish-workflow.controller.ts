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
  summary: 'Publish a workflow definition',
  description:
    'New runs use the definition; started runs continue with their version. The hash of the content identifies a version: publishing the content of an earlier version makes that version current again. A definition with errors is refused, and the answer lists all of them; warnings are part of the answer. Needs the audience "all".',
  access: 'write',
  audience: 'whole',
  body: definitionBody,
  answers: {
    201: { description: 'A new version is current', schema: published },
    200: {
      description: 'A version with this content existed already, and is current',
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
