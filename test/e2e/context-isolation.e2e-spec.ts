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
  'docs/context-isolation.md shows the real answers to its requests',
  () => proveHttpPage('context-isolation.md', server),
  120_000,
);

it('each agent of docs/context-isolation.md takes one read and one batch per turn', () =>
  proveAgentTurns('context-isolation.md'));

const path = (contextId: string) => `/v1/contexts/${contextId}`;

const append = (contextId: string, ...events: readonly object[]) =>
  server.post(`${path(contextId)}/events`, { events });

const keyFor = (audience: string) =>
  server.key({ role: 'agent', agentId: `${audience}-agent`, audiences: [audience] });

/** All texts that a key can read of a context: its document, events, changes and step outputs. */
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

/** Creates a story in development, with content that reviewers must not see. */
async function createDevelopedStory(contextId: string): Promise<void> {
  await server.post('/v1/contexts', { contextId, input: { story: 'registration' } });
  await append(contextId, kickoff, ...struggles, devRecord);
}

describe('visibility between phases', () => {
  it('hides the instructions of the review from the developer', async () => {
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

  it('shows the reviewer the spec and the dev record, but no dead ends, time, alternatives or frustrations', async () => {
    await createDevelopedStory('cold');
    const read = await readAll('cold', await keyFor('reviewer'));
    for (const expected of [
      'registration',
      'templates need a look',
      'bcrypt hashes',
      'industry standard',
    ])
      expect(read).toContain(expected);
    for (const hiddenText of [
      'dead-end',
      'four hours',
      'argon2',
      'frustrating',
      'extend UserService',
    ])
      expect(read).not.toContain(hiddenText);
  });

  it('shows the developer the insights that the kickoff wrote to the story', async () => {
    await createDevelopedStory('kicked-off');
    const { body } = await server.get(path('kicked-off'), { key: await keyFor('developer') });
    expect(body.records).toMatchObject([
      { kind: 'kickoff-insights', fields: { notes: ['extend UserService'] } },
    ]);
  });

  it('is the same for a group of reviewers as for one reviewer', async () => {
    const reviews = [undefined, ['Winston (Architect)', 'Murat (Test Architect)']];
    const documents = [];
    for (const [n, participants] of reviews.entries()) {
      const contextId = `review-${n}`;
      await createDevelopedStory(contextId);
      const key = await keyFor('reviewer');
      const records = (await server.get(path(contextId), { key })).body.records;
      const review = { artifact: 'a.ts', status: 'APPROVED', reviewId: 'R', participants };
      expect((await server.post(`${path(contextId)}/reviews`, review, { key })).status).toBe(201);
      const text = 'REVIEW PASSED: s-1';
      await server.post(`${path(contextId)}/signals`, { text }, { key });
      const { reviewHistory, signals } = (await server.get(path(contextId))).body;
      documents.push({
        seen: records.length,
        status: reviewHistory[0].status,
        signals: signals.length,
      });
    }
    expect(documents[0]).toEqual({ seen: 1, status: 'APPROVED', signals: 1 });
    expect(documents[1]).toEqual(documents[0]);
  });

  it('shows a failure analyst the story, the phase and the message, but no successful steps', async () => {
    await server.post('/v1/contexts', { contextId: 'failed', input: { story: 'sign in' } });
    await append(
      'failed',
      { type: 'StepOutputAdded', data: { stepId: 'kickoff', output: 'went well' } },
      { type: 'StepStarted', data: { stepId: 'dev' } },
      { type: 'StepOutputAdded', data: { stepId: 'dev', output: 'half' }, visibility: 'working' },
      { type: 'StepFailed', data: { stepId: 'dev', reason: 'a circular dependency' } },
    );
    const read = await readAll('failed', await keyFor('failure-analyst'));
    for (const expected of ['sign in', 'dev', 'half', 'a circular dependency'])
      expect(read).toContain(expected);
    expect(read).not.toContain('went well');
  });

  it('shows a failure analyst the story, the reason of the block, and the notes of the failed step', async () => {
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
    for (const expected of ['the mock hangs', 'no schema for sessions', 'a circular dependency'])
      expect(read).toContain(expected);
    for (const hidden of ['not about it', 'about nothing']) expect(read).not.toContain(hidden);
    const { body } = await server.get(path(contextId), { key });
    expect(body.records.map(({ kind }: { kind: string }) => kind)).toEqual([
      'kickoff-insights',
      'dev-record',
      'custom',
    ]);
    const { body: view } = await server.get(`${path(contextId)}/view`, { key });
    for (const expected of ['the mock hangs', 'no schema for sessions'])
      expect(view.text).toContain(expected);
  });

  it('shows a failure analyst the reviews with their issues, and the events that end the failure', async () => {
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
    for (const expected of ['REJECTED_WITH_FEEDBACK', 'tokens never expire'])
      expect(await view()).toContain(expected);
    const { body } = await server.get(path(contextId), { key });
    expect(body).toMatchObject({
      reviewHistory: [{ reviewId: 'r1' }],
      openIssues: [{ issueId: 'r1.1' }],
    });
    await review('r2', { status: 'APPROVED', addresses: ['r1.1'] });
    expect(await view()).toContain('status completed');
    for (const outcomeSignal of [
      'IMPLEMENTATION COMPLETE',
      'REVIEW PASSED',
      'REVIEW PASSED WITH FIXES',
    ]) {
      await signal(`IMPLEMENTATION BLOCKED: ${contextId} - no schema`);
      expect(await view()).toContain('status blocked');
      await signal(`${outcomeSignal}: ${contextId}`);
      expect([outcomeSignal, await view()]).toEqual([
        outcomeSignal,
        expect.not.stringContaining('status blocked'),
      ]);
    }
    await review('r3', { artifact: 'src/b.ts', status: 'BLOCKED' });
    expect(await view()).toContain('status blocked');
  });

  it('shows a retrospective each story of the epic with its records and outcome: 8 completed, 1 failed', async () => {
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

describe('the records of a story', () => {
  it('are append-only: no record replaces another', async () => {
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

describe('optional phases', () => {
  it('do not block development if the kickoff fails', async () => {
    await server.post('/v1/contexts', { contextId: 'no-kickoff' });
    await server.post(`${path('no-kickoff')}/steps/kickoff/fail`, { reason: 'no model' });
    expect((await server.post(`${path('no-kickoff')}/steps/dev/start`)).status).toBe(201);
    expect((await server.get(path('no-kickoff'))).body.currentState).toMatchObject({
      status: 'in_progress',
    });
  });

  it('change no state by an analysis: a recommendation neither retries nor skips', async () => {
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

  it('leave an epic completed if its retrospective fails', async () => {
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

describe("the size of a phase's input", () => {
  it('is that of its visible content: hidden events do not increase it', async () => {
    await createDevelopedStory('sized');
    const key = await keyFor('reviewer');
    const sizeFor = async () => (await server.get(path('sized'), { key })).body.size;
    const before = await sizeFor();
    await append('sized', ...struggles.slice(0, 2));
    expect(await sizeFor()).toEqual(before);
    await append('sized', devRecord);
    expect((await sizeFor()).bytes).toBeGreaterThan(before.bytes);
  });
});

/** Resolves once the lists that find children are current. */
function projected(): Promise<void> {
  return caughtUp(server);
}
