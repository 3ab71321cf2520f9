import { definePart } from '../declared/read-command.js';

export const listRisks = definePart({
  name: 'risk list',
  summary: 'List the risks of a context',
  member: 'risks',
  columns: [
    ['RISK', 'riskId'],
    ['SEVERITY', 'severity'],
    ['STATUS', 'status'],
    ['WHAT', 'description'],
    ['MITIGATION', 'mitigation'],
  ],
  empty: 'no risks',
  examples: ['throughline risk list demo'],
});
