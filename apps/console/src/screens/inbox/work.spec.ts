import { valueIn } from './value-in.js';
import {
  type Approval,
  type InboxItem,
  describeWork,
  contextInKey,
  keyOfWork,
  workOfAgent,
  workOfPeople,
} from './work.js';

const approval: Approval = {
  approvalId: 'login~run~approve~1',
  contextId: 'login',
  title: null,
  stepId: 'approve',
  path: 'approve#1',
  attempt: null,
  message: 'Good?',
  authors: [],
  requestedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  byDefault: null,
};
const place = { contextId: 'login', title: null, priority: 'medium' } as const;
const step = { runId: 'run', stepId: 'code', path: 'code#1', attempt: 1, dueAt: null } as const;
const decision: InboxItem = {
  ...place,
  kind: 'decision',
  entry: {
    decisionId: 'DEC-001',
    decision: 'Kafka',
    agentId: 'ada',
    timestamp: '2026-01-02T00:00:00.000Z',
    version: 3,
  },
};
const handover: InboxItem = {
  ...place,
  kind: 'handover',
  entry: { handoverId: 'HND-1', from: 'ada', to: 'bob', note: 'Go on', timestamp: '' },
};
const attempt: InboxItem = { ...place, kind: 'run', entry: { ...step, approval: null } };
const approvalStep: InboxItem = { ...place, kind: 'run', entry: { ...step, approval: {} } };
const items = [decision, handover, attempt, approvalStep];

describe('the work of an inbox', () => {
  it('of people contains each approval once, and the pending decisions', () => {
    expect(workOfPeople([approval, { ...approval, attempt: 2 }], items)).toMatchObject([
      { kind: 'approval' },
      { kind: 'doubt' },
      { kind: 'decision' },
    ]);
  });

  it('lists an input request by its reason, or by its path if it has none', () => {
    const entry = { inputRequestId: 'INP-1', path: 'bob.outputs.budget', from: 'bob' };
    const request = { ...entry, agentId: 'ada', timestamp: '' };
    const headline = (reason?: string) =>
      describeWork({
        ...place,
        kind: 'input-request',
        entry: { ...request, ...(reason !== undefined && { reason }) },
      }).headline;
    expect(headline('Which budget?')).toBe('Which budget?');
    expect(headline()).toBe('bob.outputs.budget');
  });

  it('of an agent contains no work of people', () => {
    expect(workOfAgent(items)).toEqual([handover, attempt]);
  });

  it('has different keys for different work', () => {
    const all = [...workOfPeople([approval], items), ...workOfAgent(items)];
    expect(new Set(all.map(keyOfWork)).size).toBe(all.length);
    expect(keyOfWork(decision)).toBe('decision login DEC-001');
    expect(all.map((work) => contextInKey(keyOfWork(work)))).toEqual(
      all.map(({ contextId }) => contextId),
    );
  });

  it('is described by its text and its time', () => {
    expect(describeWork(decision)).toMatchObject({
      headline: 'Kafka',
      since: '2026-01-02T00:00:00.000Z',
    });
  });
});

describe('valueIn', () => {
  it.each<[string, unknown]>([
    ['{"budget": 5}', { budget: 5 }],
    ['5', 5],
    ['five', 'five'],
    ['', ''],
  ])('%j is %j', (text, value) => {
    expect(valueIn(text)).toEqual(value);
  });
});
