import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const recordReview = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/reviews',
  tag: 'Reviews',
  summary: 'Record a review',
  description:
    'Its issues stay open until a later review addresses them; those without an id get `<reviewId>.<n>`, counted from 1. A known issue of the same artifact is reopened. `reviewer` is the author by default; otherwise, the key must be allowed to act for that agent.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('ReviewRecorded'),
  answers: writeAnswers,
  problems: writeProblems,
  example: {
    reviewId: 'REV-1',
    artifact: 'design/l1_architecture.md',
    iteration: 1,
    status: 'REJECTED_WITH_FEEDBACK',
    keyIssues: [{ severity: 'high', text: 'One database does not scale' }],
  },
});

@Controller()
export class RecordReviewController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(recordReview)
  recordReview(@Input(recordReview) input: InputOf<typeof recordReview>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
