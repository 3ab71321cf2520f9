import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const addStepOutput = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/step-outputs',
  tag: 'Steps',
  summary: 'Add the output of a step',
  description: 'Adding again for the same step keeps both; the latest is current.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('StepOutputAdded'),
  answers: writeAnswers,
  problems: writeProblems,
  example: { stepId: 'design', output: { screens: ['login', 'reset'] } },
});

@Controller()
export class AddStepOutputController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(addStepOutput)
  addStepOutput(@Input(addStepOutput) input: InputOf<typeof addStepOutput>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
