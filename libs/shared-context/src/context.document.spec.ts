import { did, recordContextEvent } from '#testing';

import { renderDocument } from './context.document.js';
import { ContextState } from './context-state.js';

const facts = {
  workspace: 'default',
  contextId: 'c-1',
  version: 7,
  lastModifiedAt: '2026-01-01T00:00:07.000Z',
  lastModifiedBy: 'tester',
  size: { events: 7, bytes: 100, tokens: 25 },
};

const empty = {
  contextId: 'c-1',
  workspace: 'default',
  title: null,
  status: 'open',
  createdAt: '2026-01-01T00:00:01.000Z',
  createdBy: 'tester',
  parent: null,
  children: [],
  continues: null,
  metadata: {},
  globalContext: {},
  workflow: null,
  input: {},
  currentState: {
    phase: null,
    activeAgent: null,
    activeTask: null,
    status: 'not_started',
    activeSteps: [],
    failedSteps: [],
  },
  failedSteps: [],
  outcome: 'not_started',
  stepOutputs: {},
  tasks: [],
  decisionHistory: [],
  userPreferences: {},
  artifactReferences: [],
  handoverNotes: [],
  inputRequests: [],
  reviewHistory: [],
  openIssues: [],
  completedPhases: [],
  iterationCounts: {},
  circuitBreakers: {},
  requirements: [],
  risks: [],
  dependencies: { external: [], internal: [], blockers: [] },
  records: [],
  signals: [],
  agents: {},
  quality: {},
  derived: {},
  summaries: [],
  run: null,
  metrics: {},
  size: facts.size,
  _version: 7,
  _lastModifiedAt: '2026-01-01T00:00:07.000Z',
  _lastModifiedBy: 'tester',
};

describe('the steps of a document', () => {
  const startedStep = (stepId: string) => did('StepStarted', { stepId });
  const failedStep = (stepId: string, tried?: string) =>
    did('StepFailed', { stepId, reason: `no ${stepId}`, ...(tried && { tried }) });
  const by = (agentId: string) => ({ origin: { agentId, timestamp: null } });

  it('are the running steps and the steps whose newest attempt failed', () => {
    const document = documentAfter(
      [did('ContextCreated', {}), 1],
      [startedStep('b'), 2],
      [startedStep('a'), 3],
      [failedStep('prd', 'one prompt'), 4, by('pm')],
      [failedStep('again'), 5],
      [startedStep('again'), 6],
      [failedStep('done'), 7],
      [did('StepOutputAdded', { stepId: 'done', output: 1 }), 8],
      [failedStep('spec'), 9],
    );
    const failedSteps = [
      { stepId: 'prd', reason: 'no prd', tried: 'one prompt', version: 4, agentId: 'pm' },
      { stepId: 'spec', reason: 'no spec', tried: null, version: 9, agentId: 'tester' },
    ];
    const activeSteps = ['b', 'a', 'again'];
    expect(document).toMatchObject({ currentState: { activeSteps, failedSteps }, failedSteps });
  });
});

const forAda = { origin: { agentId: 'ada', timestamp: '2020-02-02T02:02:02Z' } };

function documentAfter(...events: Parameters<typeof recordContextEvent>[]) {
  const state = events.reduce(
    (before, event) => before.apply(recordContextEvent(...event)),
    ContextState.from([]),
  );
  return renderDocument(state.values(), facts);
}

describe('the document', () => {
  it('has every part, even without any content', () => {
    expect(documentAfter([did('ContextCreated', {}), 1])).toEqual(empty);
  });

  it('shows the content of each event', () => {
    const decision = { decisionId: 'DEC-001', stepId: 'plan', decision: 'Use PostgreSQL' };
    const artifact = { artifactId: 'doc', artifactType: 'document', path: 'a.md' };
    const document = documentAfter(
      [
        did('ContextCreated', {
          title: 'T',
          input: null,
          metadata: { a: 1 },
          preferences: { p: null },
        }),
        1,
      ],
      [did('GlobalContextSet', { values: { constraints: [] } }), 2],
      [did('StepStarted', { stepId: 'plan' }), 3, forAda],
      [did('StepOutputAdded', { stepId: 'plan', output: [1], name: 'spec' }), 4, forAda],
      [did('DecisionRecorded', decision), 5, forAda],
      [did('ArtifactReferenced', artifact), 6],
      [did('ContextClosed', {}), 7],
    );
    expect(document).toEqual({
      ...empty,
      title: 'T',
      status: 'closed',
      input: null,
      metadata: { a: 1 },
      userPreferences: { p: null },
      globalContext: { constraints: [] },
      currentState: { ...empty.currentState, status: 'completed' },
      outcome: 'completed',
      stepOutputs: { plan: [1] },
      decisionHistory: [
        {
          ...decision,
          agentId: 'ada',
          timestamp: '2020-02-02T02:02:02Z',
          version: 5,
          live: true,
          stale: false,
          status: 'live',
        },
      ],
      artifactReferences: [
        {
          ...artifact,
          agentId: 'tester',
          timestamp: '2026-01-01T00:00:06.000Z',
          version: 6,
          revision: 1,
        },
      ],
      agents: {
        ada: {
          status: 'completed',
          executionStart: '2020-02-02T02:02:02Z',
          executionEnd: '2020-02-02T02:02:02Z',
          retries: 0,
          outputs: { spec: { stepId: 'plan', version: 4 } },
        },
      },
    });
  });

  it('does not depend on the order of its items', () => {
    const state = [
      did('ContextCreated', { preferences: { b: 1, a: 2 } }),
      did('StepOutputAdded', { stepId: 'y', output: 1, name: 'n' }),
      did('StepOutputAdded', { stepId: 'x', output: 2, name: 'm' }),
      did('DecisionRecorded', { decisionId: 'b', decision: 'x' }),
      did('DecisionRecorded', { decisionId: 'a', decision: 'y', supersedes: 'b' }),
    ].reduce(
      (before, event, at) => before.apply(recordContextEvent(event, at + 1)),
      ContextState.from([]),
    );
    const items = [...state.values()];
    expect(JSON.stringify(renderDocument(items.toReversed(), facts))).toBe(
      JSON.stringify(renderDocument(items, facts)),
    );
    expect(Object.keys(renderDocument(items, facts)['stepOutputs'] ?? {})).toEqual(['y', 'x']);
  });
});
