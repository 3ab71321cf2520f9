import { isThroughlineError } from './errors.js';
import { Throughline } from './throughline.js';
import {
  cut,
  json,
  problem,
  type Reaction,
  type ScriptedServer,
  startScriptedServer,
} from './scripted-server.fixture.js';

let server: ScriptedServer;

afterEach(() => server.close());

async function client(...reactions: Reaction[]): Promise<Throughline> {
  server = await startScriptedServer(...reactions);
  return new Throughline({ url: server.url, key: 'secret' });
}

const event = (id: number | string, version: number) =>
  `id: ${id}\nevent: event\ndata: ${JSON.stringify({ type: 'TaskStarted', contextId: 'login', version })}\n\n`;
const upToDate = 'event: up-to-date\ndata: {}\n\n';

/** Sends these pieces and ends the stream. */
const sent =
  (...pieces: string[]): Reaction =>
  (response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(['retry: 1\n\n', ...pieces].join(''));

/** Sends these pieces and leaves the stream open. */
const open =
  (...pieces: string[]): Reaction =>
  (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(pieces.join(''));

async function take<T>(source: AsyncIterable<T>, count: number): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) if (items.push(item) === count) break;
  return items;
}

const positions = () =>
  server.requests.map(({ url, headers }) => [
    new URL(url ?? '', 'http://host').searchParams.get('after'),
    headers['last-event-id'],
  ]);

describe('a tail', () => {
  it('continues after the last event if a connection ends, breaks or is refused temporarily', async () => {
    const tl = await client(
      sent(event(4, 4), event(5, 5)),
      cut,
      problem(503, 'unavailable', {}, { 'retry-after': '0' }),
      open(event(6, 6)),
    );
    const events = await take(tl.context('login').tail({ after: 3 }), 3);
    expect(events).toMatchObject([{ version: 4 }, { version: 5 }, { version: 6 }]);
    expect(server.requests[0]).toMatchObject({
      url: '/v1/contexts/login/stream?after=3',
      headers: { accept: 'text/event-stream', authorization: 'Bearer secret' },
    });
    expect(positions()).toEqual([
      ['3', undefined],
      ['3', '5'],
      ['3', '5'],
      ['3', '5'],
    ]);
  });

  it('begins at the start after a reset by the server, and reports the reason', async () => {
    const reset = 'event: reset\ndata: {"reason":"restored"}\n\n';
    const tl = await client(sent(event(8, 8), reset), open(event(1, 1)));
    const reasons: string[] = [];
    const tail = tl.context('login').tail({ after: 7, onReset: (why) => reasons.push(why) });
    expect(await take(tail, 2)).toMatchObject([{ version: 8 }, { version: 1 }]);
    expect(reasons).toEqual(['restored']);
    expect(positions()).toEqual([
      ['7', undefined],
      ['0', undefined],
    ]);
  });

  it('begins after a cursor', async () => {
    const tl = await client(open(event('6-mark', 6)));
    const [next] = await take(tl.context('login').tail({ after: '5-mark' }), 1);
    expect(next).toEqual({ type: 'TaskStarted', contextId: 'login', version: 6, cursor: '6-mark' });
    expect(positions()).toEqual([['0', '5-mark']]);
  });

  it('reports that all history has been read', async () => {
    const tl = await client(open(event(1, 1), upToDate, event(2, 2)));
    const received: unknown[] = [];
    const tail = tl.context('login').tail({ onUpToDate: () => received.push('up to date') });
    for await (const { version } of tail) if (received.push(version) === 3) break;
    expect(received).toEqual([1, 'up to date', 2]);
  });

  it('ends without an error when its signal aborts, and closes the connection', async () => {
    const stop = new AbortController();
    let closed: Promise<unknown> | undefined;
    const tl = await client((response, request) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      open(event(1, 1))(response, request);
    });
    const versions: number[] = [];
    for await (const { version } of tl.context('login').tail({ signal: stop.signal })) {
      versions.push(version);
      stop.abort();
    }
    await closed;
    expect(versions).toEqual([1]);
  });

  it('closes the connection when its reader stops', async () => {
    let closed: Promise<unknown> | undefined;
    const tl = await client((response, request) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      open(event(1, 1), event(2, 2))(response, request);
    });
    expect(await take(tl.context('login').tail(), 1)).toMatchObject([{ version: 1 }]);
    await closed;
  });

  it('rejects if the key is refused, also after a reconnect', async () => {
    const tl = await client(sent(event(1, 1)), problem(401, 'unauthenticated'));
    const error = await take(tl.context('login').tail(), 2).catch((caught: unknown) => caught);
    expect(isThroughlineError(error, 'unauthenticated')).toBe(true);
  });

  it('treats a silent connection as lost', async () => {
    const tl = await client(open('retry: 1\n\n'), open(event(1, 1)));
    const lost: unknown[] = [];
    const tail = tl
      .context('login')
      .tail({ silenceMs: 100, onDisconnect: (error) => lost.push(error) });
    expect(await take(tail, 1)).toMatchObject([{ version: 1 }]);
    expect(lost).toHaveLength(1);
  });

  it('waits indefinitely if silence has no limit', async () => {
    const tl = await client((response, request) => {
      open('retry: 1\n\n')(response, request);
      setTimeout(() => response.write(event(1, 1)), 20);
    });
    const lost: unknown[] = [];
    const tail = tl.context('login').tail({
      silenceMs: Number.POSITIVE_INFINITY,
      onDisconnect: (error) => lost.push(error),
    });
    expect(await take(tail, 1)).toMatchObject([{ version: 1 }]);
    expect(lost).toEqual([]);
  });
});

describe('a tail of an answer that is not a stream', () => {
  it.each([
    ['a page', 'text/html', '<html>'],
    ['JSON', 'application/json', '{}'],
  ])('rejects immediately for %s', async (_, type, body) => {
    const tl = await client((response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    );
    const error = await take(tl.context('login').tail(), 1).catch((caught: unknown) => caught);
    if (!isThroughlineError(error, 'unexpected-answer')) throw error;
    expect(error.message).toContain(
      `/v1/contexts/login/stream answers with ${type}, not with events`,
    );
    expect(error.status).toBe(200);
    expect(server.requests).toHaveLength(1);
  });

  it.each(['5', 'null', '[]', '"text"', '{"version":1}'])(
    'rejects immediately for events that are %s',
    async (data) => {
      const tl = await client(open(`id: 1\nevent: event\ndata: ${data}\n\n`));
      const error = await take(tl.context('login').tail(), 1).catch((caught: unknown) => caught);
      if (!isThroughlineError(error, 'unexpected-answer')) throw error;
      expect(error.message).toContain('/v1/contexts/login/stream sends data that is not an event');
      expect(server.requests).toHaveLength(1);
    },
  );
});

describe('a tail whose callback fails', () => {
  const fail = () => {
    throw new Error('no place');
  };
  const reject = () => Promise.reject(new Error('no place'));
  const reset = 'event: reset\ndata: {"reason":"restored"}\n\n';

  it.each([
    ['onUpToDate throws', { onUpToDate: fail }, open(upToDate)],
    ['onUpToDate rejects', { onUpToDate: reject }, open(upToDate)],
    ['onReset throws', { onReset: fail }, open(reset)],
    ['onReset rejects', { onReset: reject }, open(reset)],
    ['onDisconnect throws', { onDisconnect: fail }, cut],
    ['onDisconnect rejects', { onDisconnect: reject }, cut],
  ])('rejects with its error: %s', async (_, callbacks, reaction) => {
    const tl = await client(reaction);
    await expect(take(tl.context('login').tail(callbacks), 1)).rejects.toThrow('no place');
    expect(server.requests).toHaveLength(1);
  });

  it('closes its connection', async () => {
    const closed = Promise.withResolvers<void>();
    const tl = await client((response, request) => {
      response.once('close', closed.resolve);
      open(upToDate)(response, request);
    });
    await expect(take(tl.context('login').tail({ onUpToDate: fail }), 1)).rejects.toThrow(
      'no place',
    );
    await closed.promise;
  });
});

describe('the feed', () => {
  it('rejects immediately for an event without its context', async () => {
    const tl = await client(open('id: 1\nevent: event\ndata: {"version":1}\n\n'));
    await expect(take(tl.feed(), 1)).rejects.toThrow('/v1/stream sends data that is not an event');
    expect(server.requests).toHaveLength(1);
  });

  it('has the cursor of each event, continues after it, and begins at the start after a reset', async () => {
    const reset = 'event: reset\ndata: {"reason":"audience"}\n\n';
    const tl = await client(
      sent(event('c1', 1)),
      sent(event('c2', 2), reset),
      open(event('c3', 3)),
    );
    const events = await take(tl.feed({ after: 'head' }), 3);
    expect(events.map(({ cursor }) => cursor)).toEqual(['c1', 'c2', 'c3']);
    expect(positions()).toEqual([
      ['head', undefined],
      ['head', 'c1'],
      ['start', undefined],
    ]);
  });
});

describe('a list', () => {
  it('is read page by page, only as far as it is used', async () => {
    const tl = await client(
      json(200, { items: [{ contextId: 'a' }, { contextId: 'b' }], nextCursor: 'next' }),
      json(200, { items: [{ contextId: 'c' }], nextCursor: null }),
    );
    const list = tl.contexts.list({ status: 'open', contains: { title: 'A' } });
    expect(server.requests).toHaveLength(0);
    expect(await list.all(1)).toEqual([{ contextId: 'a' }]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.url).toBe(
      '/v1/contexts?status=open&contains=%7B%22title%22%3A%22A%22%7D',
    );
    expect(await list.page('next')).toEqual({ items: [{ contextId: 'c' }], nextCursor: null });
  });
});
