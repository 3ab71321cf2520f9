import { contextDocument, renderContext } from './render-context.js';

const empty = {
  contextId: 'demo',
  status: 'open',
  _version: 1,
  _lastModifiedAt: '2026-01-01T00:00:00.000Z',
  _lastModifiedBy: 'ada',
};

describe('renderContext', () => {
  it('omits empty parts', () => {
    expect(renderContext(contextDocument.parse(empty))).toBe(
      'demo  open\nversion   1 by ada at 2026-01-01T00:00:00.000Z',
    );
  });

  it('renders every part of a context', () => {
    const document = contextDocument.parse({
      ...empty,
      title: 'Checkout',
      workflow: { definitionId: 'release', version: 3 },
      outcome: 'in_progress',
      currentState: { phase: 'design', activeAgent: null, status: 'in_progress' },
      children: [
        { contextId: 'story-1', title: 'Sign in', outcome: 'completed', activeAgent: null },
        { contextId: 'story-2', title: null, outcome: 'in_progress', activeAgent: 'ada' },
      ],
      executionSummary: {
        total: 9,
        completed: 8,
        failed: 1,
        blocked: 0,
        inProgress: 0,
        notStarted: 0,
        durationSeconds: 2700,
      },
      input: { spec: 'ACCEPT\nME', depth: 2 },
      circuitBreakers: {
        design_l1: { current: 3, max: 3, status: 'tripped' },
        dev: { current: 1, max: 3, status: 'ok' },
      },
      records: [
        { recordId: 'REC-1', kind: 'dev-record', agentId: 'ada', fields: { summary: 'done' } },
        { recordId: 'REC-2', kind: 'custom', agentId: 'bob', title: 'Notes', body: '# Notes' },
      ],
      stepOutputs: { plan: { files: ['cart.ts'] } },
      decisionHistory: [
        { decisionId: 'DEC-001', decision: 'Use\nfiles', agentId: 'ada', live: false, stale: true },
        {
          decisionId: 'DEC-002',
          decision: 'Use PostgreSQL',
          agentId: 'grace',
          live: true,
          stale: false,
        },
      ],
      userPreferences: { verbosity: 'low' },
      artifactReferences: [{ artifactId: 'a1', artifactType: 'code', path: 'src/cart.ts' }],
      requirements: [{ requirementId: 'R-3.2', kind: 'non_functional', text: '10,000 users' }],
      risks: [
        { riskId: 'RISK-001', severity: 'high', status: 'mitigated', description: 'stale reads' },
      ],
      dependencies: {
        external: [],
        internal: [],
        blockers: [{ blockerId: 'BLK-1', status: 'open', description: 'no sandbox' }],
      },
      reviewHistory: [
        { reviewId: 'REV-1', status: 'BLOCKED', reviewer: 'ada', artifact: 'src/cart.ts' },
      ],
      openIssues: [{ issueId: 'REV-1.1', severity: 'critical', text: 'no\ntest' }],
      handoverNotes: [
        { handoverId: 'H-1', priority: 'high', status: 'open', to: 'sdd-pe', note: 'read first' },
      ],
      inputRequests: [{ inputRequestId: 'IN-1', status: 'provided', from: 'ada', path: 'budget' }],
      signals: [
        { signal: 'KICKOFF COMPLETE', subject: 's-1', agentId: 'bob' },
        {
          signal: 'REVIEW FAILED',
          subject: 's-1',
          agentId: 'ada',
          detail: { reason: 'no\ntests' },
        },
      ],
      agents: {
        ada: { status: 'in_progress', retries: 2, outputs: { brief: {} } },
        pm: { status: 'pending', retries: 0, outputs: {} },
      },
      derived: {
        'project.score': { value: 6.5, transformation: 'complexity', from: [] },
        'project.risk': { value: null, transformation: 'risk', problem: 'no\nnumber', from: [] },
      },
      quality: {
        inputs: { pm: { ok: false, missing: [{}], failed: [] }, qa: { ok: true } },
        outputs: {
          ada: {
            brief: {
              scores: { overall_score: 7, clarity: 5 },
              gates: [{ gate: 'clarity', status: 'failed' }],
              current: false,
            },
          },
        },
        gates: { passed: 0, failed: 1 },
        overallScore: 7,
      },
      size: { events: 5, bytes: 900, tokens: 210 },
    });
    expect(renderContext(document)).toBe(`demo  open  Checkout
version   1 by ada at 2026-01-01T00:00:00.000Z
workflow  release version 3
outcome   in_progress
state     design, in_progress
children  8 of 9 completed, 1 failed, 0 blocked, in 45 minutes
size      5 events, 900 bytes, 210 tokens

Children
  story-1  completed    -    Sign in
  story-2  in_progress  ada  -

Input
  spec: "ACCEPT\\nME"
  depth: 2

Preferences
  verbosity: "low"

Step outputs
  plan: {"files":["cart.ts"]}

Decisions
  DEC-001  past, stale  ada    Use files
  DEC-002  live         grace  Use PostgreSQL

Artifacts
  a1  code  src/cart.ts

Requirements
  R-3.2  non_functional  10,000 users

Risks
  RISK-001  high  mitigated  stale reads

Blockers
  BLK-1  open  no sandbox

Reviews
  REV-1  BLOCKED  ada  src/cart.ts

Open issues
  REV-1.1  critical  no test

Handovers
  H-1  high  open  sdd-pe  read first

Input requests
  IN-1  provided  ada  budget

Circuit breakers
  design_l1  3 of 3  tripped
  dev        1 of 3  ok

Records
  REC-1  dev-record  ada  {"summary":"done"}
  REC-2  custom      bob  Notes

Signals
  KICKOFF COMPLETE  s-1  bob  -
  REVIEW FAILED     s-1  ada  no tests

Agents
  ada  in_progress  2 retries  brief
  pm   pending      -          -

Derived values
  project.score  6.5              complexity
  project.risk   none: no number  risk

Quality
  inputs of pm  1 missing, 0 failed                               -
  inputs of qa  ok                                                -
  ada brief     overall_score 7, clarity 5, of an earlier output  clarity failed
  overall       7                                                 -`);
  });

  it.each([
    ['a text', 'Input\n  "a text"'],
    [[1, 2], 'Input\n  [1,2]'],
    [{}, ''],
    [null, ''],
  ])('renders the input %j', (input, shown) => {
    const [, ...rest] = renderContext(contextDocument.parse({ ...empty, input })).split('\n\n');
    expect(rest.join()).toBe(shown);
  });
});
