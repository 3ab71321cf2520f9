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

const pauseRun = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/run/pause',
  tag: 'Runs',
  summary: 'Pause a run',
  description:
    'No attempt starts until the run is resumed; running attempts continue, and their results are stored. Pausing it again changes nothing. Needs the audience "all".',
  access: 'write',
  audience: 'whole',
  headers: writeHeaders,
  body: plainBody(z.strictObject({ reason: reason.optional() }), { optional: true }),
  answers: writeAnswers,
  problems: [...writeProblems, 'run-state', 'not-found'],
  example: { reason: 'The model is being replaced' },
});

@Controller()
export class PauseRunController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(pauseRun)
  async pauseRun(@Input(pauseRun) input: InputOf<typeof pauseRun>): Promise<Answer> {
    const { reason: reasonText } = input.body;
    const control = { type: 'pause', reason: reasonText } as const;
    const request = { ...factsOf(input, undefined), contextId: input.params.contextId };
    return writeAnswerOf(await this.commands.execute(new ControlRunCommand(request, control)));
  }
}
