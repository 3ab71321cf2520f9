import { defineRead } from '../declared/read-command.js';

export const showPolicy = defineRead({
  name: 'policy show',
  summary: 'Show the policy of an audience',
  path: 'policies/{audience}',
  arguments: [
    [
      '<audience>',
      'all, developer, reviewer, failure-analyst, retrospective, or a custom audience',
    ],
  ],
  examples: ['throughline policy show reviewer'],
});
