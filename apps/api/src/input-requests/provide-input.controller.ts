import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const provideInput = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/input-requests/{inputRequestId}/provide',
  tag: 'Handovers',
  summary: 'Provide input that was asked for',
  description:
    'What is provided otherwise than before replaces it; the same again changes nothing. The value is found at the path of the request if nothing else stands there, and if it comes from a person or from whoever may speak for that place: an agent for its own outputs, whoever an agent has asked for its inputs, whoever was asked elsewhere.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('InputProvided', { optional: true, fromPath: ['inputRequestId'] }),
  answers: writeAnswers,
  problems: [...writeProblems, 'not-found'],
  example: { value: { budget: 5 }, note: 'Until the pilot' },
});

@Controller()
export class ProvideInputController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(provideInput)
  provideInput(@Input(provideInput) input: InputOf<typeof provideInput>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
