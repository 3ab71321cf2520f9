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
    'A different value replaces the one provided before; the same value changes nothing. The value can be read at the path of the request if there is no other value, and if its provider may fill that place: a person any place, an agent its own outputs, the inputs of an agent that has asked it, and elsewhere the places it was asked for.',
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
