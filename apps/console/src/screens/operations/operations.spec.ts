import { contractText, detailsOf } from './agent.js';
import { type Job, comparisonText, controlsOf, progressText, stateText } from './job.js';
import { type Key, grantOf, limitsOf, stateOf } from './key.js';
import { durationText, lagText } from './projection.js';

const job: Job = {
  jobId: 'j',
  projection: 'shared-context',
  state: 'running',
  phase: 'copying',
  rate: null,
  verify: 'sample',
  requestedBy: 'admin',
  cancelling: false,
  total: 2_000,
  applied: 500,
  eventsPerSecond: 1_200,
  secondsLeft: 90,
  compared: 0,
  different: 0,
  detail: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  endedAt: null,
};

const key: Key = {
  keyId: 'k',
  role: 'agent',
  workspace: 'default',
  agentId: 'ada',
  audiences: ['reviewer'],
  actsFor: [],
  contexts: null,
  workflows: ['release'],
  expiresAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: 'admin',
  revokedAt: null,
};

describe('the lag of a projection', () => {
  it.each([
    [0, 0, 'No lag: all events are applied'],
    [1, 2, '1 event is not applied; the oldest waits for 2 seconds'],
    [1_500, 200, '1,500 events are not applied; the oldest waits for 3 minutes'],
    [null, 7_200, 'More than 1,000 events are not applied; the oldest waits for 2 hours'],
  ])('of %j events and %j seconds is described', (lagEvents, lagSeconds, expected) => {
    expect(lagText({ lagEvents, lagSeconds })).toBe(expected);
  });

  it.each([
    [1, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [3_600, '1 hour'],
  ])('of %j seconds has the largest unit', (seconds, expected) => {
    expect(durationText(seconds)).toBe(expected);
  });
});

describe('a rebuild', () => {
  it.each<[Partial<Job>, string[]]>([
    [{ state: 'waiting' }, ['cancel']],
    [{ state: 'running' }, ['cancel']],
    [{ state: 'running', cancelling: true }, []],
    [{ state: 'switched' }, ['confirm', 'restore']],
    [{ state: 'done' }, []],
    [{ state: 'failed' }, []],
  ])('with %j has the buttons %j', (changes, expected) => {
    expect(controlsOf({ ...job, ...changes })).toEqual(expected);
  });

  it.each<[Partial<Job>, string]>([
    [{}, '500 of 2,000 events, 1,200 per second, about 2 minutes left'],
    [{ total: null, secondsLeft: null }, '500 events, 1,200 per second'],
    [{ applied: 0, eventsPerSecond: null, secondsLeft: null }, '0 of 2,000 events'],
  ])('with %j shows its progress', (changes, expected) => {
    expect(progressText({ ...job, ...changes })).toBe(expected);
  });

  it.each<[Partial<Job>, string | undefined]>([
    [{}, undefined],
    [{ compared: 1 }, '1 context compared (a sample), none differs'],
    [{ compared: 9, different: 2, verify: 'all' }, '9 contexts compared (all contexts), 2 differ'],
  ])('with %j shows its comparison', (changes, expected) => {
    expect(comparisonText({ ...job, ...changes })).toBe(expected);
  });

  it('describes its phase while it runs, and its result afterwards', () => {
    expect(stateText(job)).toBe('The rebuild applies the events.');
    expect(stateText({ ...job, cancelling: true })).toBe('The rebuild stops.');
    expect(stateText({ ...job, state: 'done', phase: 'finished' })).toContain('are deleted');
  });
});

describe('a key', () => {
  const now = Date.parse('2026-06-01T00:00:00.000Z');

  it.each([
    [{ revokedAt: null, expiresAt: null }, 'active'],
    [{ revokedAt: null, expiresAt: '2026-06-01T00:00:01.000Z' }, 'active'],
    [{ revokedAt: null, expiresAt: '2026-06-01T00:00:00.000Z' }, 'expired'],
    [{ revokedAt: '2026-05-01T00:00:00.000Z', expiresAt: null }, 'revoked'],
  ])('with %j is %s', (times, expected) => {
    expect(stateOf(times, now)).toBe(expected);
  });

  it('shows only limits that limit it', () => {
    expect(limitsOf(key)).toEqual([
      ['audiences', ['reviewer']],
      ['workflows', ['release']],
    ]);
  });

  it('is requested with the fields that have a value', () => {
    const grant = (fields: Readonly<Record<string, string>>) =>
      grantOf((name) => fields[name] ?? '');
    expect(grant({ role: 'auditor', audiences: ' \n' })).toEqual({ role: 'auditor' });
    const fields = { role: 'agent', agentId: ' ada ', contexts: 'one\n\n two, three \n' };
    expect(grant({ ...fields, expiresAt: '2026-06-01T10:00' })).toEqual({
      role: 'agent',
      agentId: 'ada',
      contexts: ['one', 'two, three'],
      expiresAt: new Date('2026-06-01T10:00').toISOString(),
    });
  });
});

describe('an agent', () => {
  it.each([
    [{}, 'no contract'],
    [{ contract: {} }, 'no contract'],
    [{ contract: { inputs: { brief: {} } } }, '1 input, 0 outputs'],
  ])('with %j has a contract of a size', (agent, expected) => {
    expect(contractText(agent)).toBe(expected);
  });

  it('has only the details that were registered', () => {
    const agent = { agentId: 'ada', name: 'Ada', role: 'analyst', kind: 'llm', persona: 'calm' };
    const registered = { ...agent, version: 1, changedAt: '', changedBy: 'admin' };
    expect(detailsOf(registered)).toEqual({ persona: 'calm' });
    const contract = { inputs: { brief: {} } };
    expect(detailsOf({ ...registered, contract })).toEqual({ ...contract, persona: 'calm' });
  });
});
