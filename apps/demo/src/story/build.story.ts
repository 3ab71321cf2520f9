import { batch, type StoryStep } from './story-step.js';
import { type Task, tasks } from './tasks.js';

const contextId = 'login-build';

/** The tasks of both developers, and a decision whose author had not read a risk. */
export const building: readonly StoryStep[] = [
  {
    as: 'product-owner',
    path: 'contexts',
    body: {
      contextId,
      parent: 'login',
      title: 'Login: build and test',
      globalContext: { branch: 'login-codes', coverageInPercent: 85 },
    },
  },
  batch(
    'architect',
    contextId,
    [
      ['PhaseStarted', { phase: 'implementation' }],
      [
        'RecordAppended',
        {
          kind: 'kickoff-insights',
          title: 'Kickoff',
          fields: {
            strategy: 'The API first, the pages against its drafts',
            risks: ['The mail service is slow on Mondays'],
            testing: 'Browser tests with a real inbox',
          },
        },
      ],
      ...tasks.map(plan),
      [
        'HandoverNoted',
        {
          handoverId: 'design-to-api',
          to: 'developer-api',
          priority: 'critical',
          note: 'Begin with T-1: all other tasks of the API need the tables.',
          relatedArtifacts: ['docs/login/design.md'],
          actionItems: ['T-1', 'T-2'],
        },
      ],
      [
        'HandoverNoted',
        {
          handoverId: 'design-to-web',
          to: 'developer-web',
          note: 'The pages can begin before the API is complete.',
        },
      ],
    ],
    { causedBy: 'design', names: 'plan' },
  ),
  batch('developer-api', contextId, [['HandoverAcknowledged', { handoverId: 'design-to-api' }]]),
  ...tasks.slice(0, 2).map(build),
  ...tasks.slice(5, 6).map(build),
  { as: 'developer-api', reads: contextId, receipt: 'before the risk' },
  batch('security-reviewer', contextId, [
    [
      'RiskRaised',
      {
        riskId: 'readable-codes',
        severity: 'high',
        description:
          'Backups of the database are readable for the hosting company: a code in them lets it log in as a customer',
      },
    ],
  ]),
  {
    as: 'developer-api',
    path: `contexts/${contextId}/decisions`,
    basedOn: 'before the risk',
    body: {
      topic: 'storage of codes',
      stepId: 'T-3',
      decision: 'Codes are stored as text until they expire',
      rationale: 'They are valid for minutes, and support can read them to a customer on the phone',
      alternativesConsidered: ['a hash of the code'],
      confidence: 0.75,
    },
  },
  ...tasks.slice(2, 4).map(build),
  ...tasks.slice(6, 7).map(build),
  batch('tester', contextId, [
    ['StepStarted', { stepId: 'browser-tests' }],
    [
      'StepFailed',
      {
        stepId: 'browser-tests',
        reason: 'The page for the code loses the focus after each digit',
        tried: ['one field for each digit', 'one field for all digits'],
      },
    ],
    [
      'BlockerRaised',
      {
        blockerId: 'focus',
        description: 'Customers cannot type a code with the keyboard of a phone',
      },
    ],
  ]),
  batch('developer-web', contextId, [
    [
      'ArtifactReferenced',
      {
        artifactId: 'T-7-fix',
        artifactType: 'source',
        path: 'web/login/code.html',
        change: 'modified',
        stepId: 'T-7',
      },
    ],
    [
      'StepOutputAdded',
      {
        stepId: 'T-7',
        output: {
          fix: 'One field with the input mode "numeric"',
          tests: { passed: 10, failed: 0 },
        },
      },
    ],
    ['BlockerCleared', { blockerId: 'focus', note: 'One field for all digits' }],
  ]),
  batch('tester', contextId, [
    [
      'StepOutputAdded',
      {
        stepId: 'browser-tests',
        name: 'browser-tests',
        output: { browsers: ['Chromium', 'Firefox', 'WebKit'], passed: 48, failed: 0 },
      },
    ],
  ]),
  ...tasks.slice(4, 5).map(build),
  ...tasks.slice(7).map(build),
];

function plan({ id, title, dependsOn }: Task) {
  return [
    'TaskPlanned',
    { taskId: id, title, ...(dependsOn && { dependsOn }), estimate: 4 },
  ] as const;
}

function build({ by, id, title, files, tests }: Task): StoryStep {
  return batch(by, contextId, [
    ['TaskStarted', { taskId: id }],
    ['StepStarted', { stepId: id }],
    ['StepOutputAdded', { stepId: id, output: { note: `First draft: ${title}` } }, 'working'],
    ...files.map((path, nth) => {
      const artifact = { artifactId: `${id}-${nth + 1}`, artifactType: 'source', path };
      return ['ArtifactReferenced', { ...artifact, change: 'created', stepId: id }] as const;
    }),
    [
      'StepOutputAdded',
      { stepId: id, name: 'endpoint', output: { files, tests: { passed: tests, failed: 0 } } },
    ],
    ['TaskCompleted', { taskId: id }],
  ]);
}
