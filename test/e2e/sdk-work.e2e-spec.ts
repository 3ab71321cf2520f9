import { isThroughlineError, Throughline, WorkFailure, type WorkOptions } from '@throughline/sdk';

import { openTcpProxy, waitFor } from '#testing';

import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
let admin: Throughline;
let contexts = 0;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  admin = new Throughline({ url: server.url, key: await server.key({ role: 'admin' }) });
  for (const id of agents) {
    const more = id === 'hasty' ? { timeout_ms: 4_000 } : {};
    await admin.workflows.publish({ id, steps: [{ id: 'do', type: 'agent', agent: id, ...more }] });
  }
}, 120_000);

afterAll(() => server.stop());

const agents = ['adder', 'failing', 'hasty', 'cancelled', 'stopped', 'cut', 'parallel'];

async function start(definitionId: string, input: unknown = null): Promise<string> {
  const { contextId } = await admin.contexts.create({ contextId: `sdk-work-${++contexts}` });
  await admin.runs.start(contextId, { definitionId, input });
  return contextId;
}

/** Starts a worker with its own key; `stop` stops it. */
async function worker(agent: string, handler: WorkOptions['handler'], more: object = {}) {
  const key = await server.key({ role: 'agent', agentId: agent });
  const stopping = new AbortController();
  const tl = new Throughline({ url: server.url, key, ...more });
  const { signal } = stopping;
  const ended = tl.work({ agent, handler, signal, ...more });
  return {
    ended,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

describe('a worker', () => {
  it('completes steps with the return value of its handler', async () => {
    const { stop } = await worker('adder', ({ input }) => ({ sum: Number(input) + 1 }));
    const [first, second] = [await start('adder', 1), await start('adder', 2)];
    expect(await admin.runs.wait(first)).toMatchObject({ status: 'completed', success: true });
    await admin.runs.wait(second);
    await stop();
    expect((await admin.context(second).get()).stepOutputs).toEqual({ do: { sum: 3 } });
  });

  it('fails steps with the error of its handler', async () => {
    const details = { code: 'no-tests', retryable: false };
    const { stop } = await worker('failing', () => {
      throw new WorkFailure('there are no tests', details);
    });
    const contextId = await start('failing');
    const run = await admin.runs.wait(contextId);
    await stop();
    expect(run.status).toBe('failed');
    const failed = await admin.context(contextId).events({ types: 'StepAttemptFailed' }).all();
    expect(failed).toMatchObject([{ data: { reason: 'there are no tests', code: 'no-tests' } }]);
  });

  it('ends its handler before the deadline', async () => {
    const reasons: unknown[] = [];
    const { stop } = await worker('hasty', async (_work, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reasons.push(signal.reason);
    });
    const contextId = await start('hasty');
    await admin.runs.wait(contextId);
    await stop();
    expect(reasons[0]).toMatchObject({ name: 'WorkFailure', code: 'timeout' });
    const types = ['StepAttemptFailed', 'StepAttemptTimedOut'].join(',');
    const [failed] = await admin.context(contextId).events({ types }).all();
    expect(failed).toMatchObject({ type: 'StepAttemptFailed', data: { code: 'timeout' } });
  });

  it('ends its handler when the run is cancelled', async () => {
    let markRunning: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (markRunning = resolve));
    let reason: unknown;
    const { stop } = await worker('cancelled', async (_work, { signal }) => {
      markRunning();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      reason = signal.reason;
    });
    const contextId = await start('cancelled');
    await running;
    await admin.runs.cancel(contextId, { graceMs: 0 });
    expect(await admin.runs.wait(contextId)).toMatchObject({ status: 'cancelled' });
    await waitFor('the handler to end', () => Promise.resolve(reason), { until: Boolean });
    await stop();
    const stale = isThroughlineError(reason, 'stale-attempt');
    expect(stale || (reason instanceof WorkFailure && reason.code === 'cancelled')).toBe(true);
  });

  it('ends its running handlers after a grace period when it is stopped', async () => {
    let markRunning: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (markRunning = resolve));
    const { stop } = await worker(
      'stopped',
      async (_work, { signal }) => {
        markRunning();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
      { graceMs: 50 },
    );
    const contextId = await start('stopped');
    await running;
    await stop();
    const failed = await admin.context(contextId).events({ types: 'StepAttemptFailed' }).all();
    expect(failed).toMatchObject([{ data: { code: 'stopped' } }]);
  });

  it('reports once, although the answer to its report is lost', async () => {
    const port = Number(new URL(server.url).port);
    const proxy = await openTcpProxy({ host: '127.0.0.1', port });
    const dropped = proxy.dropAnswerTo('reported-output', 'reset');
    const url = `http://127.0.0.1:${proxy.port}`;
    const { stop } = await worker('cut', () => 'reported-output', { url });
    const contextId = await start('cut');
    await dropped;
    expect(await admin.runs.wait(contextId)).toMatchObject({ status: 'completed' });
    await stop();
    await proxy.close();
    const stored = await admin.context(contextId).events({ types: 'StepOutputAdded' }).all();
    expect(stored).toHaveLength(1);
  });

  it('executes as many attempts at the same time as its concurrency permits', async () => {
    let [running, maximum] = [0, 0];
    const bothRunning = Promise.withResolvers<void>();
    const { stop } = await worker(
      'parallel',
      async () => {
        maximum = Math.max(maximum, ++running);
        if (running === 2) bothRunning.resolve();
        await bothRunning.promise;
        running--;
      },
      { concurrency: 2 },
    );
    const started = [await start('parallel'), await start('parallel'), await start('parallel')];
    await Promise.all(started.map((contextId) => admin.runs.wait(contextId)));
    await stop();
    expect(maximum).toBe(2);
  });

  it('rejects if its key may not act for the agent', async () => {
    const key = await server.key({ role: 'agent', agentId: 'somebody' });
    const tl = new Throughline({ url: server.url, key });
    const error = await tl
      .work({ agent: 'adder', handler: () => null })
      .catch((caught: unknown) => caught);
    expect(isThroughlineError(error, 'forbidden')).toBe(true);
  });
});

describe('waiting for a run', () => {
  it('rejects with a specific code after its timeout', async () => {
    const contextId = await start('adder');
    const error = await admin.runs.wait(contextId, { timeoutMs: 1 }).catch((caught) => caught);
    expect(isThroughlineError(error, 'run-not-ended')).toBe(true);
  });
});
