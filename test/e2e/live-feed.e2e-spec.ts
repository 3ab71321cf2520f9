import { connect } from 'node:net';

import { waitFor } from '#testing';

import { EventStream } from './event-stream.js';
import { sendBeforeReading } from './raw-request.js';
import { rootKey } from './root-key.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
const open: EventStream[] = [];

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => server.stop());

type Options = Parameters<typeof EventStream.open>[1];

async function follow(path: string, options: Options = {}): Promise<EventStream> {
  const headers = { ...(!options?.key && { workspace: server.workspace }), ...options?.headers };
  const stream = await EventStream.open(`${server.url}${path}`, { ...options, headers });
  open.push(stream);
  return stream;
}

const output = (path: string, stepId: string, more: object = {}, options = {}) =>
  server.post(`${path}/step-outputs`, { stepId, output: stepId, ...more }, options);

describe('the stream of a context', () => {
  it('sends the history, signals that it is up to date, then sends new events', async () => {
    const path = await server.context('followed');
    await output(path, 'one');
    const stream = await follow(`${path}/stream`);
    await stream.upToDate();
    await output(path, 'two');
    await stream.count(3);
    const { body } = await server.get(`${path}/events`);
    expect(stream.messages).toEqual([
      { id: '1', event: 'event', data: body.items[0] },
      { id: '2', event: 'event', data: body.items[1] },
      { event: 'up-to-date', data: {} },
      { id: '3', event: 'event', data: body.items[2] },
    ]);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(Number(/^retry: (\d+)\n\n/.exec(stream.text)?.[1]) - 2_000).toBeLessThanOrEqual(1_000);
  });

  it('continues after Last-Event-ID, which takes precedence over the query', async () => {
    const path = await server.context('resumed');
    for (const step of ['two', 'three', 'four']) await output(path, step);
    const first = await follow(`${path}/stream?after=1`);
    await first.count(3);
    const { id: lastEventId = '' } = first.events[1] ?? {};
    for (const from of [lastEventId, '3']) {
      const next = await follow(`${path}/stream?after=1`, { lastEventId: from });
      await next.upToDate();
      expect(next.versions).toEqual([4]);
    }
    const after = await follow(`${path}/stream?after=${lastEventId}`);
    await after.upToDate();
    expect(after.versions).toEqual([4]);
  });

  it('sends a history of many pages in order, and each event once', async () => {
    const path = await server.context('long');
    for (let batch = 0; batch < 4; batch++) {
      const events = Array.from({ length: 80 }, (_, at) => ({
        type: 'StepOutputAdded',
        data: { stepId: `s${batch}-${at}`, output: 'o' },
      }));
      await server.post(`${path}/events`, { events });
    }
    const stream = await follow(`${path}/stream`);
    await stream.upToDate();
    expect(stream.versions).toEqual(Array.from({ length: 321 }, (_, at) => at + 1));
  });

  it.each([
    ['beyond the head', '999', 'beyond-head'],
    ['of another reader', '1-00000000', 'audience'],
    ['that is none', 'what', 'unknown-id'],
    ['below zero', '-1', 'unknown-id'],
    ['larger than any number', '9'.repeat(5_000), 'unknown-id'],
  ])('sends a reset for an id %s', async (_, lastEventId, reason) => {
    const path = await server.context('reset');
    const stream = await follow(`${path}/stream`, { lastEventId });
    expect(await stream.ended()).toBe('ended');
    expect(stream.messages).toEqual([{ event: 'reset', data: { reason } }]);
  });

  it('is sent without chunks to a client of HTTP/1.0, and the connection closes after it', async () => {
    const path = await server.context('old');
    const head = [
      `GET ${path}/stream HTTP/1.0`,
      'Host: localhost',
      `Authorization: Bearer ${rootKey}`,
      `Workspace: ${server.workspace}`,
      'Last-Event-ID: 999',
    ];
    const answer = await sendBeforeReading(server.url, [`${head.join('\r\n')}\r\n\r\n`]);
    const reset = 'event: reset\ndata: {"reason":"beyond-head"}';
    expect(answer.split('\r\n\r\n')[1]?.split('\n\n').slice(1)).toEqual([reset, '']);
  });

  it('refuses a request that a read refuses, too', async () => {
    const path = await server.context('refused');
    const statusOf = async (at: string, options = {}) => (await server.get(at, options)).status;
    expect(await statusOf('/v1/contexts/nowhere/stream')).toBe(404);
    expect(await statusOf(`${path}/stream?after=x`)).toBe(422);
    expect(await statusOf(`${path}/stream`, { key: null })).toBe(401);
    expect(await statusOf(`${path}/stream?audience=nobody`)).toBe(422);
    const accept = { headers: { accept: 'application/json' } };
    expect(await statusOf(`${path}/stream`, accept)).toBe(406);
    const { status, headers, text } = await server.call('HEAD', `${path}/stream`);
    expect([status, headers['content-type'], text]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
  });

  it('is not reset by a restore, but sends its event', async () => {
    const path = await server.context('restored');
    await output(path, 'one');
    const stream = await follow(`${path}/stream`);
    await stream.upToDate();
    await server.post(`${path}/restore`, { version: 1 });
    await stream.count(3);
    expect(stream.events[2]?.data.type).toBe('ContextRestored');
  });
});

describe('a stream of a narrower audience', () => {
  const hidden = (path: string, note: string) => output(path, note, { visibility: 'working' });

  it('gets no byte for hidden events, also after it was resumed', async () => {
    const path = await server.context('half-hidden');
    const key = await server.key({ role: 'agent', agentId: 'r', audiences: ['retrospective'] });
    const unfiltered = await follow(`${path}/stream`);
    const filtered = await follow(`${path}/stream`, { key });
    await filtered.upToDate();
    const before = filtered.text;
    for (const note of ['a', 'b', 'c']) await hidden(path, note);
    await unfiltered.count(4);
    const resumed = await follow(`${path}/stream`, { key, lastEventId: filtered.lastId });
    await resumed.upToDate();
    expect(resumed.events).toEqual([]);
    expect(filtered.text).toBe(before);
    await output(path, 'shown');
    await Promise.all([filtered.count(2), resumed.count(1)]);
    const { body } = await server.get(`${path}/events`, { key });
    expect(filtered.events.map(({ data }) => data)).toEqual(body.items);
    expect(filtered.events[1]).toEqual(resumed.events[0]);
    expect(filtered.text.slice(before.length)).toBe(resumed.text.split('data: {}\n\n')[1]);
  });

  it('is reset after a change of its policy, but not by events that are hidden from it', async () => {
    const path = await server.context('narrowed');
    const policy = (types: string[]) =>
      server.call('PUT', '/v1/policies/watchers', { body: { show: [{ types }] } });
    await policy(['*']);
    const key = await server.key({ role: 'agent', agentId: 'w', audiences: ['watchers'] });
    const stream = await follow(`${path}/stream`, { key });
    await output(path, 'one');
    await stream.count(2);
    await policy(['TaskPlanned']);
    await output(path, 'two');
    expect(await stream.ended()).toBe('ended');
    expect([stream.reset, stream.versions]).toEqual(['audience', [1, 2]]);
    const resumed = await follow(`${path}/stream`, { key, lastEventId: stream.lastId });
    await resumed.ended();
    expect([resumed.reset, resumed.versions]).toEqual(['audience', []]);
    const fresh = await follow(`${path}/stream`, { key });
    await fresh.upToDate();
    expect(fresh.versions).toEqual([1]);
  });

  it('gets no byte for a failure that its policy hides, and nothing becomes visible', async () => {
    const path = await server.context('failing-unseen');
    const show = [{ types: ['StepOutputAdded'], visibility: ['working'], failedSteps: true }];
    await server.call('PUT', '/v1/policies/unknowing', { body: { show } });
    const key = await server.key({ role: 'agent', agentId: 'u', audiences: ['unknowing'] });
    await hidden(path, 'build');
    const stream = await follow(`${path}/stream`, { key });
    await stream.upToDate();
    const before = stream.text;
    await server.post(`${path}/steps/build/fail`, { reason: 'r' });
    await server.post(`${path}/close`);
    await stream.count(2);
    expect([stream.reset, stream.versions]).toEqual([undefined, [1, 4]]);
    expect(stream.text.slice(before.length)).toMatch(/^id: 4-/);
  });

  it('is reset if an event makes an earlier one visible', async () => {
    const path = await server.context('failing');
    const key = await server.key({ role: 'agent', agentId: 'f', audiences: ['failure-analyst'] });
    const stream = await follow(`${path}/stream`, { key });
    await stream.upToDate();
    await output(path, 'build');
    await server.post(`${path}/steps/build/fail`, { reason: 'r' });
    await stream.ended();
    expect(stream.reset).toBe('visibility');
    expect(stream.versions).not.toContain(3);
    const fresh = await follow(`${path}/stream`, { key });
    await fresh.upToDate();
    expect(fresh.versions).toEqual([1, 2, 3]);
    await output(path, 'build', { output: 'more' });
    await fresh.count(4);
  });
});

describe('a stream of an audience that is limited to decisions in force', () => {
  it('is reset if an earlier decision is approved, but not if one is superseded', async () => {
    const path = await server.context('deciding');
    const key = await server.key({ role: 'agent', agentId: 'd', audiences: ['reviewer'] });
    const decide = (decisionId: string, more: object) =>
      server.post(`${path}/decisions`, { decisionId, decision: 'd', ...more });
    await decide('DEC-001', { topic: 't' });
    const stream = await follow(`${path}/stream`, { key });
    await stream.upToDate();
    await decide('DEC-002', { topic: 't', supersedes: 'DEC-001' });
    await stream.count(3);
    await decide('DEC-003', { requiresApproval: true });
    await server.post(`${path}/decisions/DEC-003/approve`);
    await stream.ended();
    expect(stream.reset).toBe('visibility');
    const fresh = await follow(`${path}/stream`, { key });
    await fresh.upToDate();
    expect(fresh.versions).toEqual([1, 3, 4, 5]);
  });
});

describe('the keys of streams', () => {
  it('end their streams before the next ping if they are revoked, and receive no later event', async () => {
    const path = await server.context('revoked');
    const { body } = await server.post('/v1/keys', { role: 'agent', agentId: 'gone' });
    const stream = await follow(`${path}/stream`, { key: body.secret });
    await stream.upToDate();
    await server.call('DELETE', `/v1/keys/${body.keyId}`);
    await output(path, 'late');
    await stream.ended();
    expect(stream.text).not.toContain(': ping');
    expect([stream.versions, stream.reset]).toEqual([[1], undefined]);
    const { lastId: lastEventId } = stream;
    await expect(follow(`${path}/stream`, { key: body.secret, lastEventId })).rejects.toThrow(
      '401',
    );
  });

  it('end their streams if they expire', async () => {
    const path = await server.context('expired');
    let lifetimeMs = 750;
    // The lifetime doubles, so that the stream can begin before its key expires on a busy machine.
    const begin = async () => {
      const expiresAt = new Date(Date.now() + (lifetimeMs *= 2)).toISOString();
      const { body } = await server.post('/v1/keys', {
        role: 'agent',
        agentId: 'brief',
        expiresAt,
      });
      if (body.secret === undefined) return undefined;
      return follow(`${path}/stream`, { key: body.secret }).catch((error: Error) => {
        expect(error.message).toBe('answered with 401');
      });
    };
    const isOpen = { until: (found: EventStream | void) => found !== undefined };
    const stream = await waitFor('a stream that begins before its key expires', begin, isOpen);
    expect(await stream?.ended()).toBe('ended');
    expect(stream?.reset).toBeUndefined();
  });
});

describe('a connection that its client closes', () => {
  it('frees its place', async () => {
    const path = await server.context('left');
    const { hostname, port } = new URL(server.url);
    const key = await server.key({ role: 'agent', agentId: 'leaver' });
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => void (received += chunk));
    socket.write(
      `GET ${path}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    await waitFor('the history', () => received, { until: (text) => text.includes('up-to-date') });
    socket.destroy();
    await output(path, 'one');
    const stream = await follow(`${path}/stream`, { key });
    await stream.count(2);
  });
});
