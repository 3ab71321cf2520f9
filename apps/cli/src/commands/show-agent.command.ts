import { defineRead } from '../declared/read-command.js';

export const showAgent = defineRead({
  name: 'agent show',
  summary: 'Show the registration of an agent, with its contract',
  path: 'agents/{agent}',
  arguments: [['<agent>', 'id of the agent']],
  examples: ['throughline agent show pm', 'throughline agent show pm --json | jq .contract'],
});
