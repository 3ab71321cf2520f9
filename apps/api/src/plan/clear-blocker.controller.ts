import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const clearBlocker = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/blockers/{blockerId}/clear',
  tag: 'Plan',
  summary: 'Say that a blocker is out of the way',
  description: 'Clearing again changes nothing.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('BlockerCleared', { optional: true, fromPath: ['blockerId'] }),
  answers: writeAnswers,
  problems: [...writeProblems, 'not-found'],
  example: { note: 'the sandbox is open' },
});

@Controller()
export class ClearBlockerController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(clearBlocker)
  clearBlocker(@Input(clearBlocker) input: InputOf<typeof clearBlocker>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
