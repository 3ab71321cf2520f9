import { batch, type StoryStep } from './story-step.js';

const contextId = 'login-design';

/** The design: a link by e-mail first, then a code, because programs open links. */
export const design: readonly StoryStep[] = [
  batch('architect', contextId, [
    [
      'HandoverAcknowledged',
      { handoverId: 'requirements-to-design', note: 'Read; I begin with the proof of the address' },
    ],
    ['PhaseStarted', { phase: 'design' }],
    [
      'DecisionRecorded',
      {
        topic: 'proof of the address',
        decision: 'Customers open a link that the shop sends by e-mail',
        rationale: 'One click, and nothing to type on a phone',
        alternativesConsidered: ['a six-digit code', 'a passkey'],
        tradeOffs: 'The link works only on a device that receives the e-mail',
        relatedRequirements: ['F-1'],
        confidence: 0.8,
      },
    ],
    [
      'DecisionRecorded',
      {
        topic: 'session storage',
        decision: 'Sessions are rows in the database of the shop',
        rationale: 'The server can end them (F-3), and they survive a restart',
        alternativesConsidered: ['signed tokens without storage', 'a separate cache server'],
        relatedRequirements: ['F-2', 'F-3'],
        confidence: 0.95,
      },
    ],
    [
      'DecisionRecorded',
      {
        topic: 'validity',
        decision: 'A link is valid for 15 minutes and for one use',
        rationale: 'Long enough for a late e-mail',
        relatedDecisions: [{ decisionId: 'DEC-001', relation: 'requires' }],
        confidence: 0.85,
      },
    ],
    [
      'DecisionRecorded',
      {
        topic: 'limit of requests',
        decision: 'At most five e-mails per address and hour',
        rationale: 'A stranger cannot fill the inbox of a customer',
        confidence: 0.9,
      },
    ],
    [
      'ArtifactReferenced',
      {
        artifactId: 'design',
        artifactType: 'document',
        path: 'docs/login/design.md',
        change: 'created',
      },
    ],
    [
      'HandoverNoted',
      {
        handoverId: 'design-to-security',
        to: 'security-reviewer',
        priority: 'high',
        note: 'Please review how customers prove their address.',
        relatedArtifacts: ['docs/login/design.md'],
      },
    ],
  ]),
  { as: 'architect', path: `contexts/${contextId}/checkpoints`, body: { name: 'first-design' } },
  batch(
    'security-reviewer',
    contextId,
    [
      ['HandoverAcknowledged', { handoverId: 'design-to-security' }],
      [
        'RiskRaised',
        {
          riskId: 'opened-links',
          severity: 'high',
          description:
            'Virus scanners of companies open every link in an e-mail and would use it before the customer',
        },
      ],
      [
        'ReviewRecorded',
        {
          reviewId: 'design-1',
          artifact: 'docs/login/design.md',
          iteration: 1,
          status: 'REJECTED_WITH_FEEDBACK',
          keyIssues: [
            {
              issueId: 'scanner',
              severity: 'high',
              text: 'A link that a scanner opens is used up, or worse: it logs the scanner in',
            },
            {
              issueId: 'log-out',
              severity: 'low',
              text: 'The page that ends all sessions is not described',
            },
          ],
        },
      ],
    ],
    { names: 'review of the design' },
  ),
  batch(
    'architect',
    contextId,
    [
      [
        'DecisionRecorded',
        {
          topic: 'proof of the address',
          decision: 'Customers type a six-digit code that the shop sends by e-mail',
          rationale: 'Scanners open links, but they do not type codes',
          alternativesConsidered: ['a link with a button to confirm', 'a passkey'],
          tradeOffs: 'Six digits to type; the number of attempts must be limited',
          supersedes: 'DEC-001',
          relatedRequirements: ['F-1'],
          confidence: 0.85,
        },
      ],
      [
        'RiskUpdated',
        {
          riskId: 'opened-links',
          status: 'mitigated',
          mitigation: 'DEC-005: a code instead of a link',
        },
      ],
      [
        'StepOutputAdded',
        {
          stepId: 'design',
          name: 'design',
          output: {
            endpoints: ['POST /login/codes', 'POST /login/sessions', 'DELETE /login/sessions'],
            tables: ['login_codes', 'sessions'],
          },
          artifactIds: ['design'],
        },
      ],
      [
        'ArtifactReferenced',
        {
          artifactId: 'design-2',
          artifactType: 'document',
          path: 'docs/login/design.md',
          change: 'modified',
        },
      ],
      ['PhaseCompleted', { phase: 'design', outputs: ['docs/login/design.md'] }],
    ],
    { causedBy: 'review of the design', names: 'design' },
  ),
  batch('security-reviewer', contextId, [
    [
      'ReviewRecorded',
      {
        reviewId: 'design-2',
        artifact: 'docs/login/design.md',
        iteration: 2,
        status: 'APPROVED_WITH_FIXES',
        addresses: ['scanner'],
      },
    ],
  ]),
];
