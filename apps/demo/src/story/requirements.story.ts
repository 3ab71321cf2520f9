import { batch, type StoryStep } from './story-step.js';

const contextId = 'login-design';

/** The request of the product owner and the requirements that follow from it. */
export const requirements: readonly StoryStep[] = [
  {
    as: 'product-owner',
    path: 'contexts',
    body: {
      contextId: 'login',
      title: 'Customers log in without a password',
      input: {
        request:
          'One in four customers resets the password before an order. Let them log in without one.',
      },
    },
  },
  {
    as: 'product-owner',
    path: 'contexts',
    body: {
      contextId,
      parent: 'login',
      title: 'Login: requirements and design',
      globalContext: {
        constraints: [
          'no new personal data',
          'works without JavaScript',
          '95% of answers within 300 ms',
        ],
        budgetInDays: 12,
      },
      preferences: { language: 'en' },
    },
  },
  batch('analyst', contextId, [
    ['PhaseStarted', { phase: 'requirements' }],
    [
      'RequirementRecorded',
      {
        requirementId: 'F-1',
        kind: 'functional',
        text: 'A customer logs in with the e-mail address alone',
      },
    ],
    [
      'RequirementRecorded',
      {
        requirementId: 'F-2',
        kind: 'functional',
        text: 'A customer stays logged in on the same device for 30 days',
      },
    ],
    [
      'RequirementRecorded',
      { requirementId: 'F-3', kind: 'functional', text: 'A customer can log out on all devices' },
    ],
    [
      'RequirementRecorded',
      {
        requirementId: 'N-1',
        kind: 'non_functional',
        text: 'The e-mail arrives within 10 seconds',
      },
    ],
    [
      'RequirementRecorded',
      {
        requirementId: 'C-1',
        kind: 'constraint',
        text: 'The e-mail is sent by the service that sends the receipts of orders',
      },
    ],
    ['DependencyDeclared', { name: 'mail-service', kind: 'internal' }],
    [
      'RiskRaised',
      {
        riskId: 'late-mail',
        severity: 'medium',
        description:
          'If the e-mail is late, customers request it again and the first one is invalid',
      },
    ],
    [
      'ArtifactReferenced',
      {
        artifactId: 'requirements',
        artifactType: 'document',
        path: 'docs/login/requirements.md',
        change: 'created',
      },
    ],
    ['PhaseCompleted', { phase: 'requirements', outputs: ['docs/login/requirements.md'] }],
    [
      'HandoverNoted',
      {
        handoverId: 'requirements-to-design',
        to: 'architect',
        priority: 'high',
        note: 'The requirements are complete. F-2 and F-3 together need sessions that the server can end.',
        relatedArtifacts: ['docs/login/requirements.md'],
        actionItems: [
          'Decide how customers prove their address',
          'Decide where sessions are stored',
        ],
      },
    ],
  ]),
];
