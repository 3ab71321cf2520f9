import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const raiseBlocker = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/blockers',
  tag: 'Plan',
  summary: 'Say that something is in the way',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('BlockerRaised'),
  answers: writeAnswers,
  problems: writeProblems,
  example: { blockerId: 'BLK-1', description: 'No access to the payment sandbox' },
});

@Controller()
export class RaiseBlockerController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(raiseBlocker)
  raiseBlocker(@Input(raiseBlocker) input: InputOf<typeof raiseBlocker>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
