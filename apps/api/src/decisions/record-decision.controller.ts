import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const recordDecision = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/decisions',
  tag: 'Decisions',
  summary: 'Record a decision',
  description:
    'At most one decision per topic is live: a new one must name the one that it supersedes. A decision with too little confidence waits for a person: the `status` in the answer is then `pending`.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('DecisionRecorded'),
  answers: writeAnswers,
  problems: [...writeProblems, 'decision-topic-taken', 'not-found'],
  example: {
    topic: 'session-store',
    decision: 'Use signed cookies',
    rationale: 'No server state to keep',
    confidence: 0.9,
  },
});

@Controller()
export class RecordDecisionController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(recordDecision)
  recordDecision(@Input(recordDecision) input: InputOf<typeof recordDecision>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
