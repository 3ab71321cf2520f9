import { batch, type StoryStep } from './story-step.js';
import { testLog } from './test-log.js';

const browsers = ['Chromium', 'Firefox', 'WebKit', 'Chromium on a phone'];

/** Work that waits for a person or an agent: a decision, an input, a tripped circuit breaker, a context that is too large. */
export const openWork: readonly StoryStep[] = [
  {
    as: 'product-owner',
    path: 'contexts',
    body: {
      contextId: 'lost-address',
      parent: 'login',
      title: 'Login: customers who lost their e-mail address',
    },
  },
  batch('analyst', 'lost-address', [
    [
      'RequirementRecorded',
      {
        requirementId: 'F-4',
        kind: 'functional',
        text: 'A customer with a new e-mail address can still see earlier orders',
      },
    ],
    [
      'RiskRaised',
      {
        riskId: 'takeover',
        severity: 'critical',
        description: 'A stranger claims to be a customer and takes over the account',
      },
    ],
  ]),
  { as: 'architect', reads: 'lost-address', receipt: 'lost address' },
  {
    as: 'architect',
    path: 'contexts/lost-address/decisions',
    basedOn: 'lost address',
    body: {
      topic: 'proof of identity',
      decision: 'Support changes the address after the customer names the last two orders',
      rationale: 'Customers know their orders, and a stranger rarely does',
      alternativesConsidered: ['a letter with a code', 'no change of the address'],
      tradeOffs: 'A person in the same household may know the orders',
      confidence: 0.55,
      requiresApproval: true,
    },
  },
  {
    as: 'architect',
    path: 'contexts/lost-address/input-requests',
    body: {
      inputRequestId: 'support-hours',
      path: 'product-owner.outputs.support.hoursPerDay',
      from: 'product-owner',
      reason: 'How many hours a day can support spend on changed addresses?',
    },
  },
  {
    as: 'product-owner',
    path: 'contexts',
    body: {
      contextId: 'login-load-test',
      parent: 'login',
      title: 'Login: load test with 1,000 customers a minute',
    },
  },
  ...[1, 2, 3].flatMap((nth): readonly StoryStep[] => [
    {
      as: 'tester',
      path: 'contexts/login-load-test/iterations',
      body: { subject: 'load test', ...(nth === 1 && { max: 3 }) },
    },
    {
      as: 'tester',
      path: 'contexts/login-load-test/step-outputs',
      body: {
        stepId: 'load-test',
        output: {
          customersPerMinute: 1000,
          slowestAnswerInMs: 900 - nth * 40,
          limitInMs: 300,
          attempt: nth,
        },
      },
    },
  ]),
  {
    as: 'tester',
    path: 'contexts/login-load-test/iterations',
    body: { subject: 'load test' },
    refusedWith: 409,
  },
  {
    as: 'product-owner',
    path: 'contexts',
    body: {
      contextId: 'login-test-logs',
      parent: 'login',
      title: 'Login: complete logs of the browser tests',
    },
  },
  ...browsers.map((browser): StoryStep => ({
    as: 'tester',
    path: 'contexts/login-test-logs/step-outputs',
    body: { stepId: browser, output: { browser, log: testLog(browser) } },
  })),
];
