import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

import { request } from 'undici';

import { waitFor } from '#testing';

import { caughtUp } from './caught-up.js';
import { startServerProcess } from './server-process.js';
import { type ServerDatabase, openServerDatabase } from './server-stores.js';
import { type CallOptions, type Reply, ThroughlineServer } from './throughline-server.js';

/** Of tests that decode tens of megabytes, or start servers, on a busy machine. */
const limitMs = 180_000;
const outputs = 600;
/** The other processes over the store make them: each that does decodes all the megabytes of these tests. */
const readModelsElsewhere = { PROJECTOR: 'external' };

describe('a large context', () => {
  let stores: ServerDatabase;
  /** Leaves large contexts to a worker. */
  let server: ThroughlineServer;
  /** Another process over the same store, without workers. */
  let plain: ThroughlineServer;
  let large: string;
  let small: string;
  let reviewer: string;

  beforeAll(async () => {
    stores = await openServerDatabase();
    const { env } = stores;
    [server, plain] = await Promise.all([
      ThroughlineServer.start(env),
      ThroughlineServer.start({ ...env, ...readModelsElsewhere, THROUGHLINE_WORKERS: '0' }),
    ]);
    large = await server.context('large');
    small = await server.context('small');
    await server.post(`${small}/step-outputs`, { stepId: 's', output: 1 });
    for (let from = 0; from < outputs; from += 300)
      await server.post(`${large}/events`, { events: Array.from({ length: 300 }, output(from)) });
    await server.post(`${large}/decisions`, { topic: 'database', decision: 'Use PostgreSQL' });
    reviewer = await server.key({ role: 'agent', agentId: 'qa', audiences: ['reviewer'] });
    await caughtUp(server);
  }, 120_000);

  afterAll(async () => {
    await plain.stop();
    await server.stop();
    await stores.close();
  });

  const output = (from: number) => (_: unknown, n: number) => ({
    type: 'StepOutputAdded',
    data: {
      stepId: `step-${from + n}`,
      output: { summary: `what step ${from + n} came to`, files: [`src/${n}.ts`] },
    },
  });
  const answered = async (of = server) => {
    const { text } = await of.get('/metrics', { key: null });
    return Number(/worker_requests_total\{outcome="answered"\} (\d+)/.exec(text)?.[1]);
  };

  it.each<[string, string, CallOptions?]>([
    ['the document', ''],
    ['the document of an earlier version', '?asOf=301'],
    ['the document for a reviewer', '', { key: 'reviewer' }],
    ['members of the document that are large', '?parts=stepOutputs,agents'],
    ['a member of an earlier version', '?parts=currentState&asOf=301'],
    ['members of the document for a reviewer', '?parts=decisionHistory', { key: 'reviewer' }],
    ['a member that is none', '?parts=stepOutput'],
    ['a version that is not there', '?asOf=9999'],
    ['a view', '/view?maxTokens=2000'],
    ['a view as markdown', '/view?maxTokens=2000&format=markdown'],
    ['a view for a reviewer', '/view?maxTokens=2000', { key: 'reviewer' }],
    ['a view with a budget that is none', '/view?maxTokens=no'],
    ['what has changed', '/changes?since=590'],
    ['a difference', '/diff?from=300&to=320'],
    ['a consistency check', '/check'],
    ['what a decision was made on', '/decisions/DEC-001/knowledge'],
  ])('is answered by a worker as it is without one: %s', async (_, path, options = {}) => {
    const key = options.key === 'reviewer' ? { key: reviewer } : {};
    const before = await answered();
    const reply = await server.get(`${large}${path}`, key);
    expect(await answered()).toBe(before + 1);
    expect(shown(reply)).toEqual(shown(await plain.get(`${large}${path}`, key)));
  });

  it('is answered by a worker if only the head of the answer is asked for', async () => {
    const whole = await server.get(large);
    const before = await answered();
    const head = await server.call('HEAD', large);
    expect(await answered()).toBe(before + 1);
    expect(shown(head)).toEqual({ ...shown(whole), text: '' });
  });

  it('is answered whatever the headers and the limits of the key come to', async () => {
    const contexts = Array.from({ length: 999 }, (_, n) => `${'a-long-name-'.repeat(10)}${n}`);
    const key = await server.key({
      role: 'agent',
      agentId: 'many',
      contexts: ['large', ...contexts],
    });
    const headers = { 'x-long': 'a'.repeat(15_500) };
    const reply = await server.get(`${large}?parts=stepOutputs`, { key, headers });
    expect([reply.status, Object.keys(reply.body)]).toEqual([
      200,
      expect.arrayContaining(['stepOutputs']),
    ]);
  });

  it('is rendered into a prompt by a worker', async () => {
    const body = { template: '{{context.stepOutputs.step-7.summary}}', maxTokens: 500 };
    const before = await answered();
    const reply = await server.post(`${large}/prompt`, body);
    expect(await answered()).toBe(before + 1);
    expect(shown(reply)).toEqual(shown(await plain.post(`${large}/prompt`, body)));
  });

  it('is answered with 304 to whoever has it', async () => {
    const { headers } = await server.get(large);
    const has = { headers: { 'if-none-match': String(headers['etag']) } };
    expect(await server.get(large, has)).toMatchObject({ status: 304, text: '' });
    const parts = await server.get(`${large}?parts=title`, has);
    expect(parts).toMatchObject({ status: 200, body: { title: null } });
    const hasParts = { headers: { 'if-none-match': String(parts.headers['etag']) } };
    expect(await server.get(`${large}?parts=title`, hasParts)).toMatchObject({ status: 304 });
    expect(await server.get(large, hasParts)).toMatchObject({ status: 200 });
  });

  it('shows what was written a moment ago', async () => {
    await server.post(`${large}/step-outputs`, { stepId: 'late', output: 'just now' });
    const { body } = await server.get(large);
    expect(body.stepOutputs.late).toBe('just now');
  });

  it('is refused to whoever may not reach it, as if it were not there', async () => {
    const key = await server.key({ role: 'agent', agentId: 'dev', contexts: ['small'] });
    const before = await answered();
    expect(await server.get(large, { key })).toMatchObject({
      status: 404,
      body: { type: '/problems/context-not-found' },
    });
    expect(await server.get(large, { key: 'wrong' })).toMatchObject({ status: 401 });
    // Nor does the time of the answer tell that it is there.
    expect(await answered()).toBe(before);
  });

  it.each(['%00', '%ff', 'a%20b'])(
    'is no context called %s, with a worker or without',
    async (id) => {
      const path = `/v1/contexts/${id}/diff?from=1`;
      expect(shown(await server.get(path))).toEqual(shown(await plain.get(path)));
    },
  );

  it('leaves small contexts, and parts of large ones, to the server itself', async () => {
    const before = await answered();
    expect(await server.get(`${large}/items/step-output:step-7`)).toMatchObject({ status: 200 });
    expect(await server.get(`${large}/step-outputs/step-7`)).toMatchObject({ status: 200 });
    const parts = await server.get(`${large}?parts=currentState,title&parts=decisionHistory`);
    expect(parts).toMatchObject({ status: 200, body: { currentState: { activeTask: null } } });
    expect(Object.keys(parts.body).toSorted()).toEqual([
      '_version',
      'contextId',
      'currentState',
      'decisionHistory',
      'title',
      'workspace',
    ]);
    expect(await server.get(small)).toMatchObject({ status: 200 });
    expect(await server.get(`${small}/view`)).toMatchObject({ status: 200 });
    expect(await answered()).toBe(before);
  });

  it('answers many readers at once, each with all of it', async () => {
    const { text } = await plain.get(large);
    const agent = await server.key({ role: 'agent', agentId: 'ada' });
    const before = await answered();
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, n) => server.get(large, n % 2 ? { key: agent } : {})),
    );
    expect(replies.every((reply) => reply.status === 200 && reply.text === text)).toBe(true);
    expect(await answered()).toBeLessThan(before + replies.length);
    // Each is named by its own receipt and its own id.
    const of = (header: string) => new Set(replies.map(({ headers }) => headers[header]));
    expect(of('x-request-id').size).toBe(16);
    expect(of('receipt')).toEqual(
      new Set([
        (await server.get(large)).headers['receipt'],
        (await server.get(large, { key: agent })).headers['receipt'],
      ]),
    );
  });

  it('is given up for a reader who goes away, and others are answered', async () => {
    const gone = new AbortController();
    const left = server.get(large, { signal: gone.signal });
    gone.abort();
    await expect(left).rejects.toThrow();
    expect(await server.get(large)).toMatchObject({ status: 200 });
  });

  describe('on a server whose workers have little memory', () => {
    let tight: ThroughlineServer;

    beforeAll(async () => {
      tight = await ThroughlineServer.start({ ...stores.env, THROUGHLINE_WORKER_HEAP_MB: '128' });
    }, 120_000);

    afterAll(async () => {
      expect(await tight.stop()).toBe(0);
    });

    it(
      'costs the process nothing but the request if it takes more memory than a worker has',
      async () => {
        const path = await tight.context('huge');
        for (let n = 0; n < 16; n++)
          await tight.post(`${path}/step-outputs`, {
            stepId: `s-${n}`,
            // Much memory for little text.
            output: Array.from({ length: 160_000 }, () => []),
          });
        await caughtUp(tight);
        expect(await tight.get(path)).toMatchObject({
          status: 503,
          headers: { 'retry-after': '1' },
          body: { type: '/problems/unavailable', detail: expect.stringContaining('memory') },
        });
        expect(await tight.get('/health/live', { key: null })).toMatchObject({ status: 200 });
        expect(await tight.get(small)).toMatchObject({ status: 200 });
        const { status, body } = await tight.get(`${large}/view?maxTokens=500`);
        // The detail says why, if not.
        expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
      },
      limitMs,
    );

    it(
      'has views although its live decisions have more text than a worker has memory for',
      async () => {
        const path = await tight.context('decided-at-length');
        for (let n = 0; n < 30; n++)
          await tight.post(`${path}/decisions`, {
            topic: `topic ${n}`,
            decision: `${n}. ${incompressible(900_000, n)}`,
          });
        await caughtUp(tight);
        const view = await tight.get(`${path}/view?maxTokens=2000&tokenizer=chars4`);
        expect({ status: view.status, detail: view.body.detail }).toEqual({
          status: 200,
          detail: undefined,
        });
        expect(view.body.tokens).toBeLessThanOrEqual(2_000);
        expect(view.body.text).toContain('topic `topic 29`, digest\n```\ndecision: 29. ');
        // Of the last decision, the view says what it would take whole.
        const { tokens } = (await tight.get(`${path}/items/decision:DEC-030?tokenizer=chars4`))
          .body;
        expect(view.body.items).toContainEqual(
          expect.objectContaining({
            ref: 'decision:DEC-030',
            fullTokens: expect.closeTo(tokens, -1),
          }),
        );
      },
      limitMs,
    );
  });
});

describe('a server that is killed', () => {
  it(
    'leaves no worker behind, and has one ready when it starts again',
    async () => {
      const stores = await openServerDatabase();
      const key = 'root-key-of-these-tests';
      const start = () => startServerProcess({ ...stores.env, THROUGHLINE_ADMIN_KEY: key });
      const server = await start();
      const call = async (path: string, body?: object) => {
        const answer = await request(`${server.address}/v1/contexts${path}`, {
          method: body ? 'POST' : 'GET',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: body ? JSON.stringify(body) : null,
        });
        await answer.body.dump();
        return answer.statusCode;
      };
      await call('', { contextId: 'large' });
      const event = (_: unknown, n: number) => ({
        type: 'StepOutputAdded',
        data: { stepId: `step-${n}`, output: 'x'.repeat(1_500) },
      });
      await call('/large/events', { events: Array.from({ length: 450 }, event) });
      expect(childrenOf(server.pid)).toEqual([]);
      await waitFor('a worker', async () => {
        expect(await call('/large/view')).toBe(200);
        return childrenOf(server.pid).length > 0;
      });
      const workers = childrenOf(server.pid);
      await server.stop('SIGKILL');
      await waitFor('the end of the worker', () => workers.every((pid) => !isRunning(pid)));
      const again = await start();
      await waitFor('a worker that nobody has asked for', () => childrenOf(again.pid).length > 0);
      await again.stop('SIGKILL');
      await stores.close();
    },
    limitMs,
  );
});

/** The same each time, in letters and digits. */
function incompressible(characters: number, seed: number): string {
  const bytes = createHash('shake256', { outputLength: (characters / 4) * 3 }).update(`${seed}`);
  return bytes.digest('base64');
}

function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const all = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return all.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What a reader gets, but for what differs from request to request. */
function shown({ status, headers, text }: Reply) {
  const kept = [
    'content-type',
    'content-length',
    'etag',
    'cache-control',
    'receipt',
    'notes',
    'retry-after',
  ];
  const content = Object.fromEntries(kept.map((name) => [name, headers[name]]));
  return { status, text, headers: content };
}
