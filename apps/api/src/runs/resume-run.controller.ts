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

const resumeRun = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/run/resume',
  tag: 'Runs',
  summary: 'Resume a paused run',
  description:
    'Attempts may start again. Resuming a run that is not paused changes nothing. Needs the audience "all".',
  access: 'write',
  audience: 'whole',
  headers: writeHeaders,
  body: plainBody(z.strictObject({}), { optional: true }),
  answers: writeAnswers,
  problems: [...writeProblems, 'run-state', 'not-found'],
  example: {},
});

@Controller()
export class ResumeRunController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(resumeRun)
  async resumeRun(@Input(resumeRun) input: InputOf<typeof resumeRun>): Promise<Answer> {
    const control = { type: 'resume' } as const;
    const request = { ...factsOf(input, undefined), contextId: input.params.contextId };
    return writeAnswerOf(await this.commands.execute(new ControlRunCommand(request, control)));
  }
}
