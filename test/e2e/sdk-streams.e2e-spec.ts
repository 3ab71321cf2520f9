import { isThroughlineError, Throughline } from '@throughline/sdk';

import { openTcpProxy } from '#testing';

import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
let tl: Throughline;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  tl = new Throughline({ url: server.url, key: await server.key({ role: 'admin' }) });
}, 120_000);

afterAll(() => server.stop());

describe('a tail of a real context', () => {
  it('yields the history and then new events, across a broken connection', async () => {
    const port = Number(new URL(server.url).port);
    const proxy = await openTcpProxy({ host: '127.0.0.1', port });
    const key = await server.key({ role: 'agent', agentId: 'reader' });
    const reader = new Throughline({ url: `http://127.0.0.1:${proxy.port}`, key });
    await tl.contexts.create({ contextId: 'tailed' });
    const context = tl.context('tailed');
    let [upToDate, disconnects] = [0, 0];
    const versions: number[] = [];
    const tail = reader.context('tailed').tail({
      onUpToDate: () => {
        upToDate++;
        void context.steps.start(`step-${upToDate}`);
      },
      onDisconnect: () => disconnects++,
    });
    for await (const { version } of tail) {
      versions.push(version);
      if (version === 2) proxy.reset();
      if (version === 3) break;
    }
    await proxy.close();
    expect([versions, upToDate, disconnects]).toEqual([[1, 2, 3], 2, 1]);
  });

  it('rejects after its key was revoked', async () => {
    await tl.contexts.create({ contextId: 'revoked' });
    const { keyId, secret } = await tl.keys.create({ role: 'agent', agentId: 'leaver' });
    const reader = new Throughline({ url: server.url, key: secret });
    const read = async () => {
      const tail = reader.context('revoked').tail({ onUpToDate: () => void tl.keys.revoke(keyId) });
      for await (const { version } of tail) expect(version).toBe(1);
    };
    const error = await read().catch((caught: unknown) => caught);
    expect(isThroughlineError(error, 'unauthenticated')).toBe(true);
  });

  it('rejects for a context that does not exist', async () => {
    const error = await tl
      .context('nowhere')
      .tail()
      .next()
      .catch((caught: unknown) => caught);
    expect(isThroughlineError(error, 'context-not-found')).toBe(true);
  });
});

describe('the feed of a workspace', () => {
  it('yields the events of all its contexts in order, and continues after a cursor', async () => {
    const first = await take(2);
    expect(first.map(({ contextId }) => contextId)).toEqual(['tailed', 'tailed']);
    const [next] = await take(1, first[1]?.cursor);
    expect(next).toMatchObject({ contextId: 'tailed', version: 3 });
  });

  async function take(count: number, after?: string) {
    const events = [];
    for await (const event of tl.feed({ after })) if (events.push(event) === count) break;
    return events;
  }
});
