import { batch, type StoryStep } from './story-step.js';

/** A fork of the first design, which tries another way. */
export const passkeys: readonly StoryStep[] = [
  {
    as: 'architect',
    path: 'contexts/login-design/forks',
    body: { contextId: 'login-passkeys', checkpoint: 'first-design' },
  },
  batch('architect', 'login-passkeys', [
    [
      'DecisionRecorded',
      {
        topic: 'proof of the address',
        decision: 'Customers log in with a passkey, and with a link on a new device',
        rationale: 'Nothing to type, and no e-mail on a known device',
        alternativesConsidered: ['a six-digit code'],
        tradeOffs: 'One customer in five has a device without passkeys',
        supersedes: 'DEC-001',
        confidence: 0.6,
      },
    ],
    [
      'DecisionRecorded',
      {
        topic: 'validity',
        decision: 'A link for a new device is valid for 15 minutes and for one use',
        rationale: 'Only new devices need it',
        supersedes: 'DEC-003',
        relatedDecisions: [{ decisionId: 'DEC-005', relation: 'requires' }],
        confidence: 0.7,
      },
    ],
    [
      'RiskRaised',
      {
        riskId: 'old-devices',
        severity: 'high',
        description: 'One customer in five has a device without passkeys',
      },
    ],
  ]),
];
