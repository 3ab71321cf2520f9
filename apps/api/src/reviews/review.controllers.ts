import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const reviewControllers = [
  appendController('recordReview', {
    path: '/v1/contexts/{contextId}/reviews',
    tag: 'Reviews',
    summary: 'Record a review',
    description:
      'Its issues stay open until a later review addresses them; issues without an id get `<reviewId>.<n>`, counted from 1. An addressed issue of the same artifact that is listed again is reopened. `reviewer` is the author by default; to name another agent, the key must be allowed to act for it.',
    body: eventBody('ReviewRecorded'),
    example: {
      reviewId: 'REV-1',
      artifact: 'design/l1_architecture.md',
      iteration: 1,
      status: 'REJECTED_WITH_FEEDBACK',
      keyIssues: [{ severity: 'high', text: 'One database does not scale' }],
    },
  }),
];
