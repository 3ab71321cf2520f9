import { definePart } from '../declared/read-command.js';

export const listBreakers = definePart({
  name: 'breaker list',
  summary:
    'List the loops of a context with their iterations since the last reset and their limits',
  member: 'circuitBreakers',
  columns: [
    ['SUBJECT', 'key'],
    ['STATUS', 'value.status'],
    ['ITERATIONS', 'value.current'],
    ['LIMIT', 'value.max'],
  ],
  empty: 'no loops',
  examples: ['throughline breaker list demo'],
});
