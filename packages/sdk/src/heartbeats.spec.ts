import { AttemptClock } from './attempt-clock.js';
import { sendHeartbeats } from './heartbeats.js';
import { HttpClient } from './http-client.js';
import {
  json,
  problem,
  type Reaction,
  type ScriptedServer,
  startScriptedServer,
} from './scripted-server.fixture.js';

let server: ScriptedServer;

afterEach(() => server.close());

/** The attempt begins a second before the end of its lease. */
const attempt = { timeoutMs: 31_000, deadline: '2030-01-01T00:01:00.000Z' };
const lease = json(200, { leaseUntil: '2030-01-01T00:00:30.000Z', cancelRequested: false });

/** Sends heartbeats until the server has used all reactions. Returns the times of the heartbeats, and the reasons why the work was ended. */
async function send(...reactions: Reaction[]) {
  const stop = new AbortController();
  const receivedAt: number[] = [];
  server = await startScriptedServer((response, request) => {
    const react = reactions[receivedAt.push(performance.now()) - 1];
    react?.(response, request);
    if (receivedAt.length === reactions.length) stop.abort();
  });
  const ends: unknown[] = [];
  const http = new HttpClient({ url: server.url });
  const clock = new AttemptClock(attempt);
  await sendHeartbeats({ http, clock, attemptToken: 'token', signal: stop.signal }, (reason) => {
    ends.push(reason);
    stop.abort();
  });
  return { receivedAt, ends };
}

describe('a heartbeat', () => {
  it('is sent again if a proxy answers it with its own page', async () => {
    const { receivedAt, ends } = await send((response) => response.end('<html>'), lease);
    expect(receivedAt).toHaveLength(2);
    expect(ends).toEqual([]);
  });

  it('is not repeated before the Retry-After of the server', async () => {
    const { receivedAt } = await send(
      problem(503, 'unavailable', {}, { 'retry-after': '1' }),
      lease,
    );
    const [first = 0, second = 0] = receivedAt;
    expect(second - first).toBeGreaterThanOrEqual(990);
  });

  it('is repeated within the lease even if the Retry-After of the server is longer', async () => {
    const busy = problem(503, 'storage-full', {}, { 'retry-after': '120' });
    const { receivedAt, ends } = await send(lease, busy, lease);
    expect([receivedAt.length, ends]).toEqual([3, []]);
  });

  const silent: Reaction = () => undefined;

  it.each([
    ['the first one', [silent, lease]],
    ['a later one', [lease, silent, lease]],
  ])('is sent again without an answer before a lease of a few seconds ends: %s', async (_, all) => {
    const { receivedAt } = await send(...all);
    expect(receivedAt.at(-1)).toBeLessThan((receivedAt[0] ?? 0) + 3_000);
  });
});
