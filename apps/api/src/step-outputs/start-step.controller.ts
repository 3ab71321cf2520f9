import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const startStep = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/steps/{stepId}/start',
  tag: 'Steps',
  summary: 'Say that a step has begun',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('StepStarted', { optional: true, fromPath: ['stepId'] }),
  answers: writeAnswers,
  problems: writeProblems,
});

@Controller()
export class StartStepController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(startStep)
  startStep(@Input(startStep) input: InputOf<typeof startStep>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
