import { once } from 'node:events';
import { connect } from 'node:net';

import { ThroughlineServer } from './throughline-server.js';

describe('a server asked to stop while others go on', () => {
  // Its own limit is longer than the test may take: what ends here ended by itself.
  const env = { THROUGHLINE_DRAIN_TIMEOUT_MS: '600000' };

  it('waits neither for connections without a request nor for half of one', async () => {
    const server = await ThroughlineServer.start(env);
    const { hostname, port } = new URL(server.url);
    const open = () => connect(Number(port), hostname).on('error', () => undefined);
    const [silent, half] = [open(), open()];
    await Promise.all([silent, half].map((socket) => once(socket, 'connect')));
    half.write('GET /v1/me HTTP/1.1\r\nHost: x\r\n');
    await server.get('/v1/me');
    const ended = Promise.all([silent, half].map((socket) => once(socket, 'close')));
    expect(await server.stop()).toBe(0);
    await ended;
    expect(server.log.join()).not.toContain('cut off');
  }, 120_000);

  it('answers whoever keeps sending, or ends the connection, and cuts nobody off', async () => {
    const server = await ThroughlineServer.start(env);
    const path = await server.context('hammered');
    const seen = new Set<number>();
    const hammer = async (stepId: string) => {
      for (;;) {
        const answer = await server
          .post(`${path}/step-outputs`, { stepId, output: 1 })
          .catch(() => undefined);
        if (!answer) return;
        seen.add(answer.status);
      }
    };
    const hammering = Array.from({ length: 16 }, (_, n) => hammer(`s${n}`));
    await server.post(`${path}/step-outputs`, { stepId: 'last', output: 1 });
    expect(await server.stop()).toBe(0);
    await Promise.all(hammering);
    expect([...seen]).toEqual([201]);
    expect(server.log.join()).not.toContain('cut off');
  }, 120_000);
});
