import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const failStep = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/steps/{stepId}/fail',
  tag: 'Steps',
  summary: 'Say that a step has failed',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('StepFailed', { fromPath: ['stepId'] }),
  answers: writeAnswers,
  problems: writeProblems,
  example: { reason: 'the tests do not pass', tried: ['npm test'] },
});

@Controller()
export class FailStepController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(failStep)
  failStep(@Input(failStep) input: InputOf<typeof failStep>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
