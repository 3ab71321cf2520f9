import { definePart } from '../declared/read-command.js';

export const listBreakers = definePart({
  name: 'breaker list',
  summary:
    'List the loops of a context: iterations since the newest reset, and how many there may be',
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
