import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const noteHandover = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/handovers',
  tag: 'Handovers',
  summary: 'Hand work over to an agent',
  description:
    'It is open, and in the inbox of its addressee (`to`), until that agent or a person acknowledges it. `from` is the author by default; otherwise, the key must be allowed to act for that agent.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('HandoverNoted'),
  answers: writeAnswers,
  problems: writeProblems,
  example: {
    to: 'sdd-pe',
    priority: 'critical',
    note: 'Reads outnumber writes four to one',
    relatedArtifacts: ['design/l1_architecture.md'],
    actionItems: ['Detail the contracts between services'],
  },
});

@Controller()
export class NoteHandoverController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(noteHandover)
  noteHandover(@Input(noteHandover) input: InputOf<typeof noteHandover>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
