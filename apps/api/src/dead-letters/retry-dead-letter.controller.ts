import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { RetryDeadLetterCommand } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { deadLetterResponse } from './dead-letter.schema.js';

const retryDeadLetter = endpoint({
  method: 'POST',
  path: '/v1/dead-letters/{deadLetterId}/retry',
  tag: 'Projections',
  summary: 'Apply the events of a quarantined context',
  description:
    'Use it after an upgrade that can read the event, or after the cause is fixed. If the event fails again, the dead letter records the new error and one more attempt.',
  access: 'root',
  audience: 'none',
  answers: {
    200: {
      description: 'Whether the read models of the context are now up to date',
      schema: z.object({ done: z.boolean(), deadLetter: deadLetterResponse.optional() }),
    },
  },
  problems: ['forbidden', 'not-found'],
});

@Controller()
export class RetryDeadLetterController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(retryDeadLetter)
  async retryDeadLetter(
    @Input(retryDeadLetter) input: InputOf<typeof retryDeadLetter>,
  ): Promise<Answer> {
    const { principal, params } = input;
    const command = new RetryDeadLetterCommand({ principal, id: params.deadLetterId });
    return new Answer(200, await this.commands.execute(command));
  }
}
