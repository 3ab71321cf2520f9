import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const closeContext = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/close',
  tag: 'Contexts',
  summary: 'Close a context',
  description: 'A closed context refuses every write but reopening.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('ContextClosed', { optional: true }),
  answers: writeAnswers,
  problems: writeProblems,
  example: { reason: 'shipped' },
});

@Controller()
export class CloseContextController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(closeContext)
  closeContext(@Input(closeContext) input: InputOf<typeof closeContext>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
