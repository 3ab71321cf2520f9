import { batch, type StoryStep } from './story-step.js';

const contextId = 'login-build';

/** Two reviews of the code: the first one replaces the decision whose author had not read the risk. */
export const review: readonly StoryStep[] = [
  batch('developer-api', contextId, [
    [
      'RecordAppended',
      {
        kind: 'dev-record',
        title: 'API of the login',
        fields: {
          summary: 'Codes, sessions and limits',
          testsAdded: '41 tests',
          notesForReviewer: 'The comparison of codes takes the same time for every code',
        },
      },
    ],
    ['SignalEmitted', { signal: 'IMPLEMENTATION COMPLETE', subject: 'login' }],
  ]),
  batch(
    'security-reviewer',
    contextId,
    [
      [
        'ReviewRecorded',
        {
          reviewId: 'code-1',
          artifact: 'src/login/session.ts',
          iteration: 1,
          status: 'REJECTED_WITH_FEEDBACK',
          keyIssues: [
            {
              issueId: 'plain-codes',
              severity: 'high',
              text: 'Codes are stored as text, although backups are readable for others',
            },
            {
              issueId: 'attempts',
              severity: 'medium',
              text: 'A code can be guessed: attempts are not counted',
            },
          ],
        },
      ],
      [
        'SignalEmitted',
        {
          signal: 'REVIEW FAILED',
          subject: 'login',
          detail: { reason: 'Codes are stored as text' },
        },
      ],
    ],
    { causedBy: 'plan', names: 'review of the code' },
  ),
  batch(
    'developer-api',
    contextId,
    [
      [
        'DecisionRecorded',
        {
          topic: 'storage of codes',
          decision: 'Only a hash of each code is stored',
          rationale: 'Backups are readable for the hosting company',
          tradeOffs: 'Support cannot read a code to a customer, but can send a new one',
          supersedes: 'DEC-001',
          confidence: 0.95,
        },
      ],
      [
        'RiskUpdated',
        {
          riskId: 'readable-codes',
          status: 'mitigated',
          mitigation: 'DEC-002: only a hash is stored',
        },
      ],
      [
        'StepOutputAdded',
        {
          stepId: 'T-3',
          output: { files: ['src/login/session.ts'], tests: { passed: 17, failed: 0 } },
        },
      ],
      [
        'QualityScored',
        { agent: 'developer-api', output: 'endpoint', scores: { overall_score: 8, clarity: 9 } },
      ],
    ],
    { causedBy: 'review of the code', names: 'hash' },
  ),
  batch(
    'security-reviewer',
    contextId,
    [
      [
        'ReviewRecorded',
        {
          reviewId: 'code-2',
          artifact: 'src/login/session.ts',
          iteration: 2,
          status: 'APPROVED_WITH_FIXES',
          addresses: ['plain-codes'],
        },
      ],
      [
        'SignalEmitted',
        { signal: 'REVIEW PASSED WITH FIXES', subject: 'login', detail: { fixes: 1 } },
      ],
    ],
    { causedBy: 'hash', names: 'approval of the code' },
  ),
  {
    as: 'developer-web',
    path: `contexts/${contextId}/handovers`,
    body: {
      handoverId: 'pages-to-release',
      to: 'release-manager',
      priority: 'high',
      note: 'The pages are complete. The page for the code needs the new style sheet.',
      actionItems: ['Deploy the style sheet before the pages'],
    },
  },
];
