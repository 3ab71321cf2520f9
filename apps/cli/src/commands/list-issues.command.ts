import { definePart } from '../declared/read-command.js';

export const listIssues = definePart({
  name: 'issue list',
  summary: 'List review issues that no later review addresses',
  member: 'openIssues',
  columns: [
    ['ISSUE', 'issueId'],
    ['SEVERITY', 'severity'],
    ['REVIEW', 'reviewId'],
    ['ARTIFACT', 'artifact'],
    ['WHAT', 'text'],
  ],
  empty: 'no open issues',
  examples: ['throughline issue list demo'],
});
