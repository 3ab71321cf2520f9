import { defineRead } from '../declared/read-command.js';

export const showPolicy = defineRead({
  name: 'policy show',
  summary: 'Show what an audience sees: the policy in force',
  path: 'policies/{audience}',
  arguments: [
    ['<audience>', 'all, developer, reviewer, failure-analyst, retrospective, or one of your own'],
  ],
  examples: ['throughline policy show reviewer'],
});
