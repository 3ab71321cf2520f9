import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

import { request } from 'undici';

import { itWhole, waitFor } from '#testing';

import { caughtUp } from './caught-up.js';
import { startServerProcess } from './server-process.js';
import { type ServerDatabase, openServerDatabase } from './server-stores.js';
import { type CallOptions, type Reply, ThroughlineServer } from './throughline-server.js';

/** For tests that decode tens of megabytes, or start servers, on a busy machine. */
const limitMs = 180_000;
const outputs = 600;
/** The other processes over the store project the events, since each projector decodes all megabytes of these tests. */
const externalProjector = { PROJECTOR: 'external' };

describe('a large context', () => {
  let stores: ServerDatabase;
  /** A server that passes large contexts to a worker. */
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
      ThroughlineServer.start({ ...env, ...externalProjector, THROUGHLINE_WORKERS: '0' }),
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
  const countAnswered = async (of = server) => {
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
  ])('is answered by a worker as without one: %s', async (_, path, options = {}) => {
    const key = options.key === 'reviewer' ? { key: reviewer } : {};
    const before = await countAnswered();
    const reply = await server.get(`${large}${path}`, key);
    expect(await countAnswered()).toBe(before + 1);
    expect(comparable(reply)).toEqual(comparable(await plain.get(`${large}${path}`, key)));
  });

  it('is answered by a worker if only the head of the answer is requested', async () => {
    const full = await server.get(large);
    const before = await countAnswered();
    const head = await server.call('HEAD', large);
    expect(await countAnswered()).toBe(before + 1);
    expect(comparable(head)).toEqual({ ...comparable(full), text: '' });
  });

  it('is answered regardless of the size of the headers and of the limits of the key', async () => {
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
    const before = await countAnswered();
    const reply = await server.post(`${large}/prompt`, body);
    expect(await countAnswered()).toBe(before + 1);
    expect(comparable(reply)).toEqual(comparable(await plain.post(`${large}/prompt`, body)));
  });

  it('is answered with 304 if the reader has the current version', async () => {
    const { headers } = await server.get(large);
    const conditional = { headers: { 'if-none-match': String(headers['etag']) } };
    expect(await server.get(large, conditional)).toMatchObject({ status: 304, text: '' });
    const parts = await server.get(`${large}?parts=title`, conditional);
    expect(parts).toMatchObject({ status: 200, body: { title: null } });
    const conditionalParts = { headers: { 'if-none-match': String(parts.headers['etag']) } };
    expect(await server.get(`${large}?parts=title`, conditionalParts)).toMatchObject({
      status: 304,
    });
    expect(await server.get(large, conditionalParts)).toMatchObject({ status: 200 });
  });

  it('includes the latest writes', async () => {
    await server.post(`${large}/step-outputs`, { stepId: 'late', output: 'just now' });
    const { body } = await server.get(large);
    expect(body.stepOutputs.late).toBe('just now');
  });

  it('is refused to a key that does not reach it with 404, without a worker', async () => {
    const key = await server.key({ role: 'agent', agentId: 'dev', contexts: ['small'] });
    const before = await countAnswered();
    expect(await server.get(large, { key })).toMatchObject({
      status: 404,
      body: { type: '/problems/context-not-found' },
    });
    expect(await server.get(large, { key: 'wrong' })).toMatchObject({ status: 401 });
    // The duration of the answer does not reveal the context either.
    expect(await countAnswered()).toBe(before);
  });

  it.each(['%00', '%ff', 'a%20b'])(
    '%s as an id gets the same answer with a worker and without one',
    async (id) => {
      const path = `/v1/contexts/${id}/diff?from=1`;
      expect(comparable(await server.get(path))).toEqual(comparable(await plain.get(path)));
    },
  );

  it('is not passed to a worker if it is small, or if small parts of it are requested', async () => {
    const before = await countAnswered();
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
    expect(await countAnswered()).toBe(before);
  });

  it('is answered in full to many readers at once', async () => {
    const { text } = await plain.get(large);
    const agent = await server.key({ role: 'agent', agentId: 'ada' });
    const before = await countAnswered();
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, n) => server.get(large, n % 2 ? { key: agent } : {})),
    );
    expect(replies.every((reply) => reply.status === 200 && reply.text === text)).toBe(true);
    expect(await countAnswered()).toBeLessThan(before + replies.length);
    // Each answer has its own receipt and request id.
    const uniqueValues = (header: string) => new Set(replies.map(({ headers }) => headers[header]));
    expect(uniqueValues('x-request-id').size).toBe(16);
    expect(uniqueValues('receipt')).toEqual(
      new Set([
        (await server.get(large)).headers['receipt'],
        (await server.get(large, { key: agent })).headers['receipt'],
      ]),
    );
  });

  it('is abandoned if the reader disconnects, and other readers are answered', async () => {
    const client = new AbortController();
    const aborted = server.get(large, { signal: client.signal });
    client.abort();
    await expect(aborted).rejects.toThrow();
    expect(await server.get(large)).toMatchObject({ status: 200 });
  });

  describe('on a server whose workers have little memory', () => {
    let smallServer: ThroughlineServer;

    beforeAll(async () => {
      smallServer = await ThroughlineServer.start({
        ...stores.env,
        ...externalProjector,
        THROUGHLINE_WORKER_HEAP_MB: '128',
      });
    }, 120_000);

    afterAll(async () => {
      expect(await smallServer.stop()).toBe(0);
    });

    it(
      'causes a 503 and no crash if it needs more memory than a worker has',
      async () => {
        const path = await smallServer.context('huge');
        for (let n = 0; n < 16; n++)
          await smallServer.post(`${path}/step-outputs`, {
            stepId: `s-${n}`,
            // Much memory for little text.
            output: Array.from({ length: 160_000 }, () => []),
          });
        await caughtUp(smallServer);
        expect(await smallServer.get(path)).toMatchObject({
          status: 503,
          headers: { 'retry-after': '1' },
          body: { type: '/problems/unavailable', detail: expect.stringContaining('memory') },
        });
        expect(await smallServer.get('/health/live', { key: null })).toMatchObject({ status: 200 });
        expect(await smallServer.get(small)).toMatchObject({ status: 200 });
        const { status, body } = await smallServer.get(`${large}/view?maxTokens=500`);
        // If the status differs, the detail contains the reason.
        expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
      },
      limitMs,
    );

    itWhole(
      'has views although its live decisions have megabytes of text',
      async () => {
        // The decoded decisions do not fit into the memory of a worker.
        const decisions = 30;
        const path = await smallServer.context('decided-at-length');
        for (let n = 0; n < decisions; n++)
          await smallServer.post(`${path}/decisions`, {
            topic: `topic ${n}`,
            decision: `${n}. ${incompressible(900_000, n)}`,
          });
        await caughtUp(smallServer);
        const view = await smallServer.get(`${path}/view?maxTokens=2000&tokenizer=chars4`);
        expect({ status: view.status, detail: view.body.detail }).toEqual({
          status: 200,
          detail: undefined,
        });
        expect(view.body.tokens).toBeLessThanOrEqual(2_000);
        expect(view.body.text).toContain(
          `topic \`topic ${decisions - 1}\`, digest\n\`\`\`\ndecision: ${decisions - 1}. `,
        );
        // The view states the number of tokens of the full last decision.
        const { tokens } = (
          await smallServer.get(`${path}/items/decision:DEC-0${decisions}?tokenizer=chars4`)
        ).body;
        expect(view.body.items).toContainEqual(
          expect.objectContaining({
            ref: `decision:DEC-0${decisions}`,
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
    'leaves no worker running, and has one ready after its next start',
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

/** Text of letters and digits that is the same for the same seed. */
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

/** The part of an answer that is the same for the same request. */
function comparable({ status, headers, text }: Reply) {
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
