import { definePart } from '../declared/read-command.js';

export const listRequirements = definePart({
  name: 'requirement list',
  summary: 'List the requirements of a context',
  member: 'requirements',
  columns: [
    ['REQUIREMENT', 'requirementId'],
    ['KIND', 'kind'],
    ['MET', 'met'],
    ['WHAT', 'text'],
  ],
  empty: 'no requirements',
  examples: ['throughline requirement list demo'],
});
