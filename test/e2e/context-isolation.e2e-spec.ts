import { caughtUp } from './caught-up.js';
import { proveAgentTurns } from './docs/agent-turns.js';
import { proveHttpPage } from './docs/http-page.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

it(
  'docs/context-isolation.md does what it says',
  () => proveHttpPage('context-isolation.md', server),
  120_000,
);

it('each agent of docs/context-isolation.md takes one read and one batch a turn', () =>
  proveAgentTurns('context-isolation.md'));

const path = (contextId: string) => `/v1/contexts/${contextId}`;

const append = (contextId: string, ...events: readonly object[]) =>
  server.post(`${path(contextId)}/events`, { events });

const keyFor = (audience: string) =>
  server.key({ role: 'agent', agentId: `${audience}-agent`, audiences: [audience] });

/** Everything that is read of a context with a key: its document, events, changes and records of steps. */
async function readAll(contextId: string, key: string): Promise<string> {
  const places = ['', '/events', '/changes?since=1', '/decisions', '/artifacts', '/diff?from=1'];
  const answers = await Promise.all(
    places.map((place) => server.get(`${path(contextId)}${place}`, { key })),
  );
  expect(answers.map(({ status }) => status)).toEqual(places.map(() => 200));
  return answers.map(({ text }) => text).join('\n');
}

const kickoff = {
  type: 'RecordAppended',
  data: { kind: 'kickoff-insights', fields: { notes: ['extend UserService'] } },
};
const devRecord = {
  type: 'RecordAppended',
  data: {
    kind: 'dev-record',
    fields: { summary: 'registration works', notesForReviewer: ['templates need a look'] },
  },
};
const struggles = [
  { type: 'StepFailed', data: { stepId: 'dev', reason: 'dead-end: mail within the request' } },
  {
    type: 'RecordAppended',
    data: { kind: 'custom', body: 'debugging took four hours, what a workaround' },
    visibility: 'working',
  },
  {
    type: 'DecisionRecorded',
    data: {
      decision: 'bcrypt hashes passwords',
      rationale: 'industry standard',
      alternativesConsidered: ['argon2 was considered'],
    },
  },
  {
    type: 'StepOutputAdded',
    data: { stepId: 'notes', output: 'frustrating, but done' },
    visibility: 'working',
  },
];

/** A story in development, with everything a reviewer must not know. */
async function developed(contextId: string): Promise<void> {
  await server.post('/v1/contexts', { contextId, input: { story: 'registration' } });
  await append(contextId, kickoff, ...struggles, devRecord);
}

describe('what passes between phases', () => {
  it('tells the developer nothing of how the work will be reviewed', async () => {
    await server.post('/v1/contexts', { contextId: 'unaware', input: { story: 'registration' } });
    const instructions = 'Code Review: sort findings by severity, critical first';
    await append('unaware', kickoff, {
      type: 'RecordAppended',
      data: { kind: 'custom', title: 'For the reviewer', body: instructions },
    });
    const read = await readAll('unaware', await keyFor('developer'));
    expect(read).toContain('registration');
    expect(read).not.toMatch(/Code Review|severity/);
  });

  it('shows the reviewer the code for the first time: spec and dev record, no dead-ends, time, alternatives or frustrations', async () => {
    await developed('cold');
    const read = await readAll('cold', await keyFor('reviewer'));
    for (const seen of [
      'registration',
      'templates need a look',
      'bcrypt hashes',
      'industry standard',
    ])
      expect(read).toContain(seen);
    for (const unseen of ['dead-end', 'four hours', 'argon2', 'frustrating', 'extend UserService'])
      expect(read).not.toContain(unseen);
  });

  it('has the kickoff write its insights to the story, where the developer finds them', async () => {
    await developed('kicked-off');
    const { body } = await server.get(path('kicked-off'), { key: await keyFor('developer') });
    expect(body.records).toMatchObject([
      { kind: 'kickoff-insights', fields: { notes: ['extend UserService'] } },
    ]);
  });

  it('gives a party of reviewers what it gives one, and takes from both the same', async () => {
    const reviews = [undefined, ['Winston (Architect)', 'Murat (Test Architect)']];
    const documents = [];
    for (const [n, participants] of reviews.entries()) {
      const contextId = `review-${n}`;
      await developed(contextId);
      const key = await keyFor('reviewer');
      const seen = (await server.get(path(contextId), { key })).body.records;
      const review = { artifact: 'a.ts', status: 'APPROVED', reviewId: 'R', participants };
      expect((await server.post(`${path(contextId)}/reviews`, review, { key })).status).toBe(201);
      const text = 'REVIEW PASSED: s-1';
      await server.post(`${path(contextId)}/signals`, { text }, { key });
      const { reviewHistory, signals } = (await server.get(path(contextId))).body;
      documents.push({
        seen: seen.length,
        status: reviewHistory[0].status,
        signals: signals.length,
      });
    }
    expect(documents[0]).toEqual({ seen: 1, status: 'APPROVED', signals: 1 });
    expect(documents[1]).toEqual(documents[0]);
  });

  it('gives the analyst of a failure the story, the phase and the message, and nothing of what went well', async () => {
    await server.post('/v1/contexts', { contextId: 'failed', input: { story: 'sign in' } });
    await append(
      'failed',
      { type: 'StepOutputAdded', data: { stepId: 'kickoff', output: 'went well' } },
      { type: 'StepStarted', data: { stepId: 'dev' } },
      { type: 'StepOutputAdded', data: { stepId: 'dev', output: 'half' }, visibility: 'working' },
      { type: 'StepFailed', data: { stepId: 'dev', reason: 'a circular dependency' } },
    );
    const read = await readAll('failed', await keyFor('failure-analyst'));
    for (const seen of ['sign in', 'dev', 'half', 'a circular dependency'])
      expect(read).toContain(seen);
    expect(read).not.toContain('went well');
  });

  it('gives whoever analyses a failure the story, the reason it was blocked for, and the notes of the failed step', async () => {
    const contextId = 'blocked';
    await server.post('/v1/contexts', { contextId, title: 'sign in' });
    const note = (stepId: string | undefined, body: string) =>
      ({
        type: 'RecordAppended',
        data: { kind: 'custom', body, ...(stepId !== undefined && { stepId }) },
        visibility: 'working',
      }) as const;
    await append(
      contextId,
      kickoff,
      devRecord,
      note('dev', 'the mock hangs'),
      note('other', 'not about it'),
      note(undefined, 'about nothing'),
    );
    const key = await keyFor('failure-analyst');
    const before = await readAll(contextId, key);
    expect(before).not.toContain('the mock hangs');
    const text = `IMPLEMENTATION BLOCKED: ${contextId} - no schema for sessions`;
    await server.post(`${path(contextId)}/signals`, { text });
    await server.post(`${path(contextId)}/steps/dev/fail`, { reason: 'a circular dependency' });
    const read = await readAll(contextId, key);
    for (const seen of ['the mock hangs', 'no schema for sessions', 'a circular dependency'])
      expect(read).toContain(seen);
    for (const hidden of ['not about it', 'about nothing']) expect(read).not.toContain(hidden);
    const { body } = await server.get(path(contextId), { key });
    expect(body.records.map(({ kind }: { kind: string }) => kind)).toEqual([
      'kickoff-insights',
      'dev-record',
      'custom',
    ]);
    const { body: view } = await server.get(`${path(contextId)}/view`, { key });
    for (const seen of ['the mock hangs', 'no schema for sessions'])
      expect(view.text).toContain(seen);
  });

  it('gives whoever analyses a failure the reviews with their issues, and what takes a failure back', async () => {
    const contextId = 'taken-back';
    await server.post('/v1/contexts', { contextId, title: 'sign in' });
    const key = await keyFor('failure-analyst');
    const review = (reviewId: string, data: object) =>
      server.post(`${path(contextId)}/reviews`, { reviewId, artifact: 'src/a.ts', ...data });
    const signal = (text: string) => server.post(`${path(contextId)}/signals`, { text });
    const view = async (): Promise<string> =>
      (await server.get(`${path(contextId)}/view`, { key })).body.text;
    const issue = { severity: 'high', text: 'tokens never expire' };
    await review('r1', { status: 'REJECTED_WITH_FEEDBACK', keyIssues: [issue] });
    for (const seen of ['REJECTED_WITH_FEEDBACK', 'tokens never expire'])
      expect(await view()).toContain(seen);
    const { body } = await server.get(path(contextId), { key });
    expect(body).toMatchObject({
      reviewHistory: [{ reviewId: 'r1' }],
      openIssues: [{ issueId: 'r1.1' }],
    });
    await review('r2', { status: 'APPROVED', addresses: ['r1.1'] });
    expect(await view()).toContain('status completed');
    for (const end of ['IMPLEMENTATION COMPLETE', 'REVIEW PASSED', 'REVIEW PASSED WITH FIXES']) {
      await signal(`IMPLEMENTATION BLOCKED: ${contextId} - no schema`);
      expect(await view()).toContain('status blocked');
      await signal(`${end}: ${contextId}`);
      expect([end, await view()]).toEqual([end, expect.not.stringContaining('status blocked')]);
    }
    await review('r3', { artifact: 'src/b.ts', status: 'BLOCKED' });
    expect(await view()).toContain('status blocked');
  });

  it('gives a retrospective every story of the epic with its records, and what became of them: 8 completed, 1 failed', async () => {
    const epic = 'epic-of-nine';
    await server.post('/v1/contexts', { contextId: epic });
    const stories = Array.from({ length: 9 }, (_, n) => `${epic}-${n + 1}`);
    for (const contextId of stories) {
      await server.post('/v1/contexts', { contextId, parent: epic });
      if (contextId.endsWith('9'))
        await server.post(`${path(contextId)}/steps/dev/fail`, { reason: 'no luck' });
      else {
        await append(contextId, kickoff, devRecord);
        await server.post(`${path(contextId)}/step-outputs`, { stepId: 'dev', output: 'done' });
        await server.post(`${path(contextId)}/close`);
      }
    }
    await projected();
    const { body } = await server.get(path(epic));
    expect(body.children.map((child: { contextId: string }) => child.contextId)).toEqual(stories);
    expect(body.executionSummary).toMatchObject({
      total: 9,
      completed: 8,
      failed: 1,
      blocked: 0,
      durationSeconds: expect.any(Number),
    });
    const key = await keyFor('retrospective');
    for (const contextId of stories.slice(0, 8))
      expect((await server.get(path(contextId), { key })).body.records).toMatchObject([
        { kind: 'kickoff-insights' },
        { kind: 'dev-record' },
      ]);
  }, 120_000);
});

describe('the story', () => {
  it('is only ever appended to: no section takes the place of another', async () => {
    await server.post('/v1/contexts', { contextId: 'appended' });
    const record = { recordId: 'dev', kind: 'dev-record', body: 'first' };
    await server.post(`${path('appended')}/records`, record);
    const changed = await server.post(`${path('appended')}/records`, { ...record, body: 'other' });
    expect([changed.status, changed.body.errors[0].pointer]).toEqual([422, '/recordId']);
    const sections = ['kickoff-insights', 'review-record', 'failure-analysis'] as const;
    for (const kind of sections)
      await server.post(`${path('appended')}/records`, { kind, body: kind });
    const { body } = await server.get(path('appended'));
    expect(body.records.map(({ kind }: { kind: string }) => kind)).toEqual([
      'dev-record',
      ...sections,
    ]);
    expect(body.records[0].body).toBe('first');
  });
});

describe('signals for flow control', () => {
  it.each([
    ['KICKOFF COMPLETE: story-1', { signal: 'KICKOFF COMPLETE', subject: 'story-1' }],
    ['IMPLEMENTATION COMPLETE: story-1', { signal: 'IMPLEMENTATION COMPLETE' }],
    [
      'IMPLEMENTATION BLOCKED: story-1 - no schema',
      { signal: 'IMPLEMENTATION BLOCKED', detail: { reason: 'no schema' } },
    ],
    ['REVIEW PASSED: story-1', { signal: 'REVIEW PASSED' }],
    [
      'REVIEW PASSED WITH FIXES: story-1 - Fixed 3 issues',
      { signal: 'REVIEW PASSED WITH FIXES', detail: { fixes: 3 } },
    ],
    [
      'REVIEW FAILED: story-1 - no tests',
      { signal: 'REVIEW FAILED', detail: { reason: 'no tests' } },
    ],
    [
      'ANALYSIS COMPLETE: story-1 - Skip',
      { signal: 'ANALYSIS COMPLETE', detail: { recommendation: 'Skip' } },
    ],
    ['RETRO COMPLETE: Epic 42', { signal: 'RETRO COMPLETE', subject: '42' }],
  ])('are found in the output of each phase: %s', async (line, signal) => {
    await server.post('/v1/contexts', { contextId: 'signalled' });
    const text = `I am done with my phase.\n\n${line}\n`;
    const { status, body } = await server.post(`${path('signalled')}/signals`, { text });
    expect([status, body.events.length]).toEqual([201, 1]);
    expect((await server.get(path('signalled'))).body.signals.at(-1)).toMatchObject(signal);
  });
});

describe('phases that are optional', () => {
  it('hold up nothing when the kickoff fails: development starts all the same', async () => {
    await server.post('/v1/contexts', { contextId: 'no-kickoff' });
    await server.post(`${path('no-kickoff')}/steps/kickoff/fail`, { reason: 'no model' });
    expect((await server.post(`${path('no-kickoff')}/steps/dev/start`)).status).toBe(201);
    expect((await server.get(path('no-kickoff'))).body.currentState).toMatchObject({
      status: 'in_progress',
    });
  });

  it('change nothing by an analysis: a recommendation neither retries nor skips', async () => {
    await server.post('/v1/contexts', { contextId: 'advised' });
    await server.post(`${path('advised')}/steps/dev/fail`, { reason: 'no schema' });
    const before = (await server.get(path('advised'))).body.currentState;
    await append('advised', {
      type: 'RecordAppended',
      data: { kind: 'failure-analysis', fields: { recommendation: 'Skip' } },
    });
    await server.post(`${path('advised')}/signals`, { text: 'ANALYSIS COMPLETE: s-1 - Skip' });
    expect((await server.get(path('advised'))).body.currentState).toEqual(before);
  });

  it('leave an epic completed whose retrospective fails', async () => {
    await server.post('/v1/contexts', { contextId: 'looked-back' });
    const story = { contextId: 'looked-back-1', parent: 'looked-back' };
    await server.post('/v1/contexts', story);
    await server.post(`${path('looked-back-1')}/step-outputs`, { stepId: 'dev', output: 'done' });
    await server.post(`${path('looked-back-1')}/close`);
    await server.post(`${path('looked-back')}/steps/retro/fail`, { reason: 'no model' });
    await projected();
    const { executionSummary } = (await server.get(path('looked-back'))).body;
    expect(executionSummary).toMatchObject({ total: 1, completed: 1, failed: 0 });
  });
});

describe('the size of what a phase reads', () => {
  it('is that of what its audience sees: what is hidden makes it no larger', async () => {
    await developed('sized');
    const key = await keyFor('reviewer');
    const sizeFor = async () => (await server.get(path('sized'), { key })).body.size;
    const before = await sizeFor();
    await append('sized', ...struggles.slice(0, 2));
    expect(await sizeFor()).toEqual(before);
    await append('sized', devRecord);
    expect((await sizeFor()).bytes).toBeGreaterThan(before.bytes);
  });
});

/** Lists, which children are found by, know everything that was written. */
function projected(): Promise<void> {
  return caughtUp(server);
}
