import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const recordRequirement = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/requirements',
  tag: 'Plan',
  summary: 'Record a requirement',
  description: 'The same id again is a new revision; the identical requirement changes nothing.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('RequirementRecorded'),
  answers: writeAnswers,
  problems: writeProblems,
  example: { requirementId: 'R-3.2', kind: 'non_functional', text: '10,000 concurrent users' },
});

@Controller()
export class RecordRequirementController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(recordRequirement)
  recordRequirement(
    @Input(recordRequirement) input: InputOf<typeof recordRequirement>,
  ): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
