import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const startPhase = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/phases/{phase}/start',
  tag: 'Phases',
  summary: 'Say that a phase has begun',
  description:
    '`agent` works on it, the author where that is left out. Starting it again changes nothing, unless for another agent or after its completion.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('PhaseStarted', { optional: true, fromPath: ['phase'] }),
  answers: writeAnswers,
  problems: writeProblems,
  example: { agent: 'sdd-architect' },
});

@Controller()
export class StartPhaseController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(startPhase)
  startPhase(@Input(startPhase) input: InputOf<typeof startPhase>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
