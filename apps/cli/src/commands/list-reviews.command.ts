import { definePart } from '../declared/read-command.js';

export const listReviews = definePart({
  name: 'review list',
  summary: 'List the reviews of a context, oldest first',
  member: 'reviewHistory',
  columns: [
    ['REVIEW', 'reviewId'],
    ['STATUS', 'status'],
    ['GATE', 'gate'],
    ['REVIEWER', 'reviewer'],
    ['ITERATION', 'iteration'],
    ['ARTIFACT', 'artifact'],
  ],
  empty: 'no reviews',
  examples: ['throughline review list demo'],
});
