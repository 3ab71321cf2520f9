import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ControlRunCommand } from '#application';

import { type Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { writeAnswerOf, factsOf } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { reason } from './run.schema.js';

const cancelRun = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/run/cancel',
  tag: 'Runs',
  summary: 'Cancel a run',
  description:
    'No step starts any more, and open approvals are withdrawn. Running attempts may end within `graceMs` (30 s by default); after that, or when none is running, the run is cancelled. Needs the audience "all".',
  access: 'write',
  audience: 'whole',
  headers: writeHeaders,
  body: plainBody(
    z.strictObject({
      reason: reason.optional(),
      graceMs: z.int().min(0).max(3_600_000).default(30_000),
    }),
    { optional: true },
  ),
  answers: writeAnswers,
  problems: [...writeProblems, 'run-state', 'not-found'],
  example: { reason: 'The scope has changed' },
});

@Controller()
export class CancelRunController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(cancelRun)
  async cancelRun(@Input(cancelRun) input: InputOf<typeof cancelRun>): Promise<Answer> {
    const { reason: reasonText, graceMs } = input.body;
    const control = { type: 'cancel', reason: reasonText, graceMs } as const;
    const request = { ...factsOf(input, undefined), contextId: input.params.contextId };
    return writeAnswerOf(await this.commands.execute(new ControlRunCommand(request, control)));
  }
}
