import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const reopenContext = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/reopen',
  tag: 'Contexts',
  summary: 'Reopen a closed context',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('ContextReopened', { optional: true }),
  answers: writeAnswers,
  problems: writeProblems,
  example: { reason: 'a bug came back' },
});

@Controller()
export class ReopenContextController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(reopenContext)
  reopenContext(@Input(reopenContext) input: InputOf<typeof reopenContext>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
