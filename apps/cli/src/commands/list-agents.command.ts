import { defineList } from '../declared/read-command.js';

export const listAgents = defineList({
  name: 'agent list',
  summary: 'List the agents of the workspace in the order of their registration',
  path: 'agents',
  columns: [
    ['AGENT', 'agentId'],
    ['KIND', 'kind'],
    ['NAME', 'name'],
    ['ROLE', 'role'],
    ['VERSION', 'version'],
    ['CHANGED', 'changedAt'],
  ],
  empty: 'no agents; "throughline agent register" registers one',
  examples: ['throughline agent list'],
});
