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

/** Sends heartbeats until the server has reacted so to one after the other. Returns when it saw each, and why the work was ended. */
async function send(...reactions: Reaction[]) {
  const stop = new AbortController();
  const seenAt: number[] = [];
  server = await startScriptedServer((response, request) => {
    const react = reactions[seenAt.push(performance.now()) - 1];
    react?.(response, request);
    if (seenAt.length === reactions.length) stop.abort();
  });
  const ends: unknown[] = [];
  const http = new HttpClient({ url: server.url });
  const clock = new AttemptClock(attempt);
  await sendHeartbeats({ http, clock, attemptToken: 'token', signal: stop.signal }, (reason) => {
    ends.push(reason);
    stop.abort();
  });
  return { seenAt, ends };
}

describe('a heartbeat', () => {
  it('that a proxy answers with a page of its own is sent again', async () => {
    const { seenAt, ends } = await send((response) => response.end('<html>'), lease);
    expect(seenAt).toHaveLength(2);
    expect(ends).toEqual([]);
  });

  it('is not repeated sooner than the server asks for', async () => {
    const { seenAt } = await send(problem(503, 'unavailable', {}, { 'retry-after': '1' }), lease);
    const [first = 0, second = 0] = seenAt;
    expect(second - first).toBeGreaterThanOrEqual(990);
  });

  it('is repeated while the lease runs even if the server asks for more time than a test may take', async () => {
    const busy = problem(503, 'storage-full', {}, { 'retry-after': '120' });
    const { seenAt, ends } = await send(lease, busy, lease);
    expect([seenAt.length, ends]).toEqual([3, []]);
  });

  const silent: Reaction = () => undefined;

  it.each([
    ['the first one', [silent, lease]],
    ['a later one', [lease, silent, lease]],
  ])('without an answer is sent again before a lease of a few seconds ends: %s', async (_, all) => {
    const { seenAt } = await send(...all);
    expect(seenAt.at(-1)).toBeLessThan((seenAt[0] ?? 0) + 3_000);
  });
});
