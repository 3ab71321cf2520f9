import { batch, type StoryStep } from './story-step.js';

const release = {
  id: 'release',
  description:
    'Release notes, two checks at the same time, the approval of a person, the deployment',
  max_duration_ms: 86_400_000,
  steps: [
    { id: 'notes', name: 'Release notes', type: 'agent', agent: 'release-manager', next: 'checks' },
    {
      id: 'checks',
      name: 'Checks',
      type: 'parallel',
      steps: [
        { id: 'browsers', name: 'Browser tests', type: 'agent', agent: 'tester', max_retries: 2 },
        { id: 'load', name: 'Load test', type: 'agent', agent: 'tester', optional: true },
      ],
      next: 'passed',
    },
    {
      id: 'passed',
      name: 'All passed?',
      type: 'condition',
      condition: 'context.checks.success',
      then: 'approve',
      else: { to: 'notes', max_visits: 2 },
    },
    {
      id: 'approve',
      name: 'Approval',
      type: 'approval',
      message: 'The checks have passed. Release to all customers?',
      on_approve: 'deploy',
      on_reject: { to: 'notes', max_visits: 3 },
    },
    { id: 'deploy', name: 'Deployment', type: 'agent', agent: 'release-manager' },
  ],
} as const;

const nightly = {
  id: 'nightly',
  description: 'Builds and tests the newest version every night',
  steps: [
    { id: 'build', name: 'Build', type: 'agent', agent: 'release-manager', next: 'tests' },
    { id: 'tests', name: 'Browser tests', type: 'agent', agent: 'tester', max_retries: 2 },
  ],
} as const;

function started(contextId: string, definitionId: string, title: string): readonly StoryStep[] {
  return [
    {
      as: 'release-manager',
      path: 'contexts',
      body: { contextId, title, parent: 'login' },
      causedBy: 'approval of the code',
    },
    {
      as: 'release-manager',
      path: `contexts/${contextId}/run`,
      body: { definitionId, input: { branch: 'login-codes' } },
    },
  ];
}

/** Carries out a release up to its approval. */
function upToApproval(version: string, changes: readonly string[]): readonly StoryStep[] {
  return [
    { as: 'release-manager', completes: { version, changes } },
    {
      as: 'tester',
      completes: { browsers: ['Chromium', 'Firefox', 'WebKit'], passed: 48, failed: 0 },
    },
    { as: 'tester', completes: { customersPerMinute: 600, slowestAnswerInMs: 240 } },
  ];
}

/** A finished release, a failed nightly run, and a release that waits for an approval. */
export const releases: readonly StoryStep[] = [
  { as: 'admin', path: 'workflows', body: release },
  { as: 'admin', path: 'workflows', body: nightly },
  ...started('release-1.0', 'release', 'Release 1.0: login for employees'),
  ...upToApproval('1.0.0', ['Employees log in with a code']),
  {
    as: 'product-owner',
    approvesIn: 'release-1.0',
    comment: 'Employees first; we watch the mail service for a day',
  },
  { as: 'release-manager', completes: { deployedTo: 'shop.example', version: '1.0.0' } },
  batch('product-owner', 'release-1.0', [
    ['ContextClosed', { outcome: 'completed', reason: 'Released' }],
  ]),
  ...started('nightly-tests', 'nightly', 'Nightly tests'),
  { as: 'release-manager', completes: { commit: '7c1e9a2', seconds: 41 } },
  {
    as: 'tester',
    fails: {
      code: 'timeout',
      reason: 'WebKit: the e-mail with the code did not arrive within 60 seconds',
    },
  },
  {
    as: 'tester',
    fails: {
      code: 'timeout',
      reason: 'WebKit: the e-mail with the code did not arrive within 60 seconds',
    },
  },
  ...started('release-1.1', 'release', 'Release 1.1: login for all customers'),
  ...upToApproval('1.1.0', [
    'All customers log in with a code',
    'Customers log out on all devices',
  ]),
];
