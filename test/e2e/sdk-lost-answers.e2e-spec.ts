import { isThroughlineError, Throughline } from '@throughline/sdk';

import { openTcpProxy, type TcpProxy } from '#testing';

import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
let proxy: TcpProxy;
let tl: Throughline;
let contexts = 0;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  proxy = await openTcpProxy({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  const key = await server.key({ role: 'agent', agentId: 'coder' });
  tl = new Throughline({ url: `http://127.0.0.1:${proxy.port}`, key });
}, 120_000);

afterAll(async () => {
  await proxy.close();
  await server.stop();
});

async function newContext() {
  const { contextId } = await tl.contexts.create({ contextId: `lost-${++contexts}` });
  return tl.context(contextId);
}

const output = (step: string) =>
  ({ type: 'StepOutputAdded', data: { stepId: step, output: step } }) as const;

describe('a write whose answer is lost', () => {
  it.each(['reset', 'silence'] as const)('is stored once, after %s', async (fault) => {
    const context = await newContext();
    const timeouts = fault === 'silence' ? { timeoutMs: 1_000 } : {};
    const dropped = proxy.dropAnswerTo(`lost-marker-${fault}`, fault);
    const body = { events: [output(`lost-marker-${fault}`)] };
    const path = `/v1/contexts/${context.id}/events`;
    const answer = await tl.request('POST', path, { body, expectedVersion: 1, ...timeouts });
    await dropped;
    expect(answer).toMatchObject({ status: 201, etag: '"2"', body: { version: 2 } });
    expect(await context.events().all()).toHaveLength(2);
  });

  it('does not repeat the decision of an update', async () => {
    const context = await newContext();
    const dropped = proxy.dropAnswerTo('updated-once', 'reset');
    const attempts: number[] = [];
    const written = await context.update((_document, { attempt }) => {
      attempts.push(attempt);
      return [output('updated-once')];
    });
    await dropped;
    expect([attempts, written.version]).toEqual([[1], 2]);
    expect(await context.events().all()).toHaveLength(2);
  });

  it('can be sent again with the key of the error', async () => {
    const context = await newContext();
    const dropped = proxy.dropAnswerTo('no-retries', 'reset');
    const send = (idempotencyKey?: string) => {
      const request = { body: { events: [output('no-retries')] }, maxRetries: 0, idempotencyKey };
      return tl.request('POST', `/v1/contexts/${context.id}/events`, request);
    };
    const error = await send().catch((caught: unknown) => caught);
    await dropped;
    if (!isThroughlineError(error, 'no-answer')) throw error;
    expect(await send(error.idempotencyKey)).toMatchObject({ status: 201, body: { version: 2 } });
    expect(await context.events().all()).toHaveLength(2);
  });
});

describe('an update that is aborted before its answer', () => {
  it('can be sent again unchanged, and is stored once', async () => {
    const context = await newContext();
    const stop = new AbortController();
    const dropped = proxy.dropAnswerTo('aborted-update', 'silence');
    const updated = context
      .update(() => [output('aborted-update')], { signal: stop.signal })
      .catch((caught: unknown) => caught);
    await dropped;
    stop.abort();
    const error = await updated;
    if (!isThroughlineError(error, 'write-aborted')) throw error;
    const { method, path, options } = error.write;
    const answer = await tl.request(method, path, options);
    expect(answer).toMatchObject({ body: { version: 2 } });
    expect(await context.events().all()).toHaveLength(2);
  });
});

describe('concurrent updates of many agents', () => {
  it('are all stored, each based on the previous ones', async () => {
    const context = await newContext();
    const agents = Array.from({ length: 6 }, (_, index) => `agent-${index}`);
    await Promise.all(
      agents.map((agent) =>
        context.update(
          ({ stepOutputs }) => [
            {
              type: 'StepOutputAdded',
              data: { stepId: agent, output: Object.keys(stepOutputs).length },
            },
          ],
          { max: 50, parts: ['stepOutputs'] },
        ),
      ),
    );
    const { stepOutputs } = await context.get();
    expect(Object.values(stepOutputs).sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
