import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const approveDecision = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/decisions/{decisionId}/approve',
  tag: 'Decisions',
  summary: 'Approve a pending decision',
  description: 'Needs a person: keys of role agent are refused.',
  access: 'operate',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('DecisionApproved', { optional: true, fromPath: ['decisionId'] }),
  answers: writeAnswers,
  problems: [...writeProblems, 'approval-decided', 'not-found', 'decision-topic-taken'],
  example: { reason: 'checked with legal' },
});

@Controller()
export class ApproveDecisionController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(approveDecision)
  approveDecision(@Input(approveDecision) input: InputOf<typeof approveDecision>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
