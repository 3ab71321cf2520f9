import { contextArgument } from '../declared/address.js';
import { audienceOption, defineRead } from '../declared/read-command.js';
import { pageOptions } from '../paging.js';

export const showKnowledge = defineRead({
  name: 'decision knowledge',
  summary: 'Show what the author of a decision had read, and what not',
  path: 'contexts/{context}/decisions/{decision}/knowledge',
  arguments: [contextArgument, ['<decision>', 'id of the decision']],
  options: [audienceOption, ...pageOptions],
  examples: ['throughline decision knowledge demo DEC-001'],
});
