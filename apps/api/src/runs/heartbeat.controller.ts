import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { HeartbeatCommand } from '#application';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { attemptToken, reportProblems } from './run.schema.js';

const heartbeat = endpoint({
  method: 'POST',
  path: '/v1/work/heartbeat',
  tag: 'Runs',
  summary: 'Report that the worker of an attempt is alive',
  description:
    'Sent several times in each lease: an attempt whose lease has lapsed may be given to another worker, or a person is asked what became of it. `cancelRequested`: stop the work, nobody needs it any more.',
  access: 'write',
  audience: 'written',
  body: plainBody(z.strictObject({ attemptToken })),
  answers: {
    200: {
      description: 'The lease was renewed',
      schema: z.object({
        leaseUntil: z.string(),
        deadline: z.string().nullable(),
        cancelRequested: z.boolean(),
      }),
    },
  },
  problems: [
    ...reportProblems,
    'forbidden',
    'context-not-found',
    'validation-failed',
    'unavailable',
  ],
  example: { attemptToken: 'WyJzdG9yeS00MiJd' },
});

@Controller()
export class HeartbeatController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(heartbeat)
  async heartbeat(
    @Input(heartbeat) { principal, body }: InputOf<typeof heartbeat>,
  ): Promise<Answer> {
    const command = new HeartbeatCommand(principal, body.attemptToken);
    return new Answer(200, await this.commands.execute(command));
  }
}
