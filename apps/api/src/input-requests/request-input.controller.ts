import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const requestInput = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/input-requests',
  tag: 'Handovers',
  summary: 'Ask an agent for input',
  description:
    '`from` is whom it is asked of: it is in the inbox of that agent until it is provided.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('InputRequested'),
  answers: writeAnswers,
  problems: writeProblems,
  example: {
    path: 'analyst.outputs.project_brief.budget',
    from: 'analyst',
    reason: 'The estimate rests on it',
  },
});

@Controller()
export class RequestInputController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(requestInput)
  requestInput(@Input(requestInput) input: InputOf<typeof requestInput>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
