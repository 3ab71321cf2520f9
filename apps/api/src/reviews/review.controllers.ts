import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const reviewControllers = [
  appendController('recordReview', {
    path: '/v1/contexts/{contextId}/reviews',
    tag: 'Reviews',
    summary: 'Record a review',
    description:
      'Its issues stay open until a later review addresses them; those without an id get `<reviewId>.<n>`, counted from 1. A known issue of the same artifact is reopened. `reviewer` is the author by default; otherwise, the key must be allowed to act for that agent.',
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
