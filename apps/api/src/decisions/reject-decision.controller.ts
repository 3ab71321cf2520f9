import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const rejectDecision = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/decisions/{decisionId}/reject',
  tag: 'Decisions',
  summary: 'Reject a pending decision',
  description: 'Needs a person: keys of role agent are refused.',
  access: 'operate',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('DecisionRejected', { optional: true, fromPath: ['decisionId'] }),
  answers: writeAnswers,
  problems: [...writeProblems, 'approval-decided', 'not-found'],
  example: { reason: 'too costly' },
});

@Controller()
export class RejectDecisionController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(rejectDecision)
  rejectDecision(@Input(rejectDecision) input: InputOf<typeof rejectDecision>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
