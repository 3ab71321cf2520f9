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
    'Send it several times in each lease: after a lease has expired, the attempt may be assigned to another worker, or the run may wait for a person to state its outcome. `cancelRequested`: stop the work, its result is no longer needed.',
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
