import { type Policy, reader, self } from './policy.js';

/** The specification of the work. */
const spec = [
  'GlobalContextSet',
  'PreferencesSet',
  'RequirementRecorded',
  'DependencyDeclared',
  'TaskPlanned',
];
const progress = [
  'TaskStarted',
  'TaskBlocked',
  'TaskCompleted',
  'PhaseStarted',
  'PhaseCompleted',
  'IterationStarted',
  'CircuitBreakerTripped',
  'CircuitBreakerReset',
  'IterationsCarried',
];
const decisions = ['DecisionRecorded', 'DecisionApproved', 'DecisionRejected'];
const plan = ['RiskRaised', 'RiskUpdated', 'BlockerRaised', 'BlockerCleared'];
/** Handovers and input requests from and to the reader. */
const ownHandovers = [
  {
    types: ['HandoverNoted', 'HandoverAcknowledged', 'InputRequested', 'InputProvided'],
    to: [reader],
  },
  {
    types: ['HandoverNoted', 'HandoverAcknowledged', 'InputRequested', 'InputProvided'],
    authors: [reader],
  },
];
const earlierHandovers = [
  { types: ['HandoverNoted', 'InputRequested'], to: [reader] },
  { types: ['HandoverAcknowledged', 'InputProvided'], authors: [reader] },
];

const coldWork = [
  { types: [...spec, 'ArtifactReferenced', 'DecisionApproved', 'DecisionRejected'] },
  { types: ['DecisionRecorded'], without: ['alternativesConsidered' as const] },
  { types: ['RecordAppended'], kinds: ['dev-record'] },
];
const ownReviews = [
  { types: ['ReviewRecorded'], authors: [self] },
  { types: ['RecordAppended'], kinds: ['review-record'], authors: [self] },
];
const development = [
  {
    types: [...spec, ...progress, ...plan, ...decisions, 'ArtifactReferenced', 'ReviewRecorded'],
  },
  { types: ['RecordAppended'], kinds: ['kickoff-insights', 'review-record'] },
];

const failures = [
  { types: [...spec] },
  {
    types: ['StepFailed', 'StepAttemptFailed'],
    visibility: ['record' as const, 'working' as const],
  },
  {
    types: ['StepStarted', 'StepOutputAdded', 'StepAttemptStarted', 'RecordAppended'],
    visibility: ['record' as const, 'working' as const],
    failedSteps: true as const,
  },
  {
    types: ['RecordAppended'],
    kinds: ['kickoff-insights', 'dev-record', 'review-record', 'failure-analysis'],
  },
];
const failureSignals = ['IMPLEMENTATION BLOCKED', 'REVIEW FAILED'];

/** Policies of the audiences that every workspace has. The audience `all` has no policy: it sees everything. */
export const builtInPolicies: Readonly<Record<string, Policy>> = {
  /** The specification, insights, its own handovers, decisions, and reviews to address. */
  developer: { show: [...development, ...ownHandovers] },
  /** Only the finished work: no alternatives, attempts, failures or working notes, and no reviews or handovers of others. */
  reviewer: { show: [...coldWork, ...ownHandovers, ...ownReviews], decisions: 'live' },
  /**
   * The specification, the story, failed steps with their failures, attempts and working notes, reviews with their issues,
   * and signals of failure. Signals that revoke a failure are visible too: without them, a failure would never end for this
   * audience.
   */
  'failure-analyst': {
    show: [
      ...failures,
      { types: ['ReviewRecorded'] },
      {
        types: ['SignalEmitted'],
        kinds: [
          ...failureSignals,
          'IMPLEMENTATION COMPLETE',
          'REVIEW PASSED',
          'REVIEW PASSED WITH FIXES',
        ],
      },
    ],
  },
  /** All events of visibility `record`, none of visibility `working`. */
  retrospective: { show: [{ types: ['*'] }] },
};

/** Earlier versions of the built-in policies: receipts name the policy that their read applied. */
export const earlierPolicies: Readonly<Record<string, readonly Policy[]>> = {
  developer: [{ show: [...development, ...earlierHandovers] }],
  reviewer: [
    { show: [...coldWork, ...earlierHandovers, ...ownReviews], decisions: 'live' },
    { show: [...coldWork, ...earlierHandovers], decisions: 'live' },
  ],
  'failure-analyst': [
    { show: [...failures, { types: ['SignalEmitted'], kinds: failureSignals }] },
    {
      show: [
        { types: [...spec] },
        { types: ['StepFailed', 'StepAttemptFailed'], visibility: ['record', 'working'] },
        {
          types: ['StepStarted', 'StepOutputAdded', 'StepAttemptStarted'],
          visibility: ['record', 'working'],
          failedSteps: true,
        },
        { types: ['RecordAppended'], kinds: ['failure-analysis'] },
      ],
    },
  ],
};

/** The audience that sees everything, including hashes and positions. */
export const everything = 'all';
