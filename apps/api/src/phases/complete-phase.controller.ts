import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const completePhase = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/phases/{phase}/complete',
  tag: 'Phases',
  summary: 'Say that a phase is over',
  description:
    'Also if nobody said that it had begun. The same again changes nothing; with other outputs it is its newest completion. `agent`: who has completed it, if not the author; the key must be allowed to act for that agent.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('PhaseCompleted', { optional: true, fromPath: ['phase'] }),
  answers: writeAnswers,
  problems: writeProblems,
  example: { outputs: ['design/l1_architecture.md'] },
});

@Controller()
export class CompletePhaseController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(completePhase)
  completePhase(@Input(completePhase) input: InputOf<typeof completePhase>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
