import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

import { type LiveStream, type StreamFrame } from '#application';
import { waitFor } from '#testing';

import { EventStreamBody } from './event-stream.js';

/** More events than the buffers of an unread local connection hold. */
const manyEvents = 400;
const text = 'x'.repeat(65_536);

describe('the body of an event stream', () => {
  const server = createServer();
  const sockets: Socket[] = [];
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(() => server.close());

  /** A paused client, and the stream that is sent to it. */
  async function open(frames: AsyncGenerator<StreamFrame, void>, pingMs: number) {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined).pause();
    sockets.push(client);
    const answered = once(server, 'request');
    client.write('GET / HTTP/1.0\r\n\r\n');
    const [, response] = (await answered) as [unknown, ServerResponse];
    const ending = new AbortController();
    const closed = { count: 0 };
    const stream: LiveStream = {
      frames,
      signal: ending.signal,
      close: () => void (closed.count += 1),
    };
    const body = new EventStreamBody(stream, pingMs);
    const sent = pipeline(body, response).catch((error: unknown) => error);
    return { client, body, ending, closed, sent };
  }

  async function* events(count: number, then?: Promise<void>): AsyncGenerator<StreamFrame, void> {
    for (let version = 1; version <= count; version++) {
      pulled = version;
      yield { type: 'event', id: String(version), data: { version, text } };
    }
    await then;
  }
  let pulled = 0;

  async function received(client: Socket): Promise<string> {
    let all = '';
    client.setEncoding('utf8').on('data', (chunk: string) => void (all += chunk));
    await once(client.resume(), 'close');
    return all;
  }

  it('sends all events to a client that reads, and ends', async () => {
    const { client, closed } = await open(events(manyEvents), 60_000);
    const all = await received(client);
    expect(all.match(/^id: \d+$/gm)).toHaveLength(manyEvents);
    expect(closed.count).toBeGreaterThan(0);
  });

  it('disconnects a client that reads nothing between two pings, and stops reading events for it', async () => {
    const { body, closed, sent } = await open(events(manyEvents), 100);
    expect(await sent).toMatchObject({ message: expect.stringContaining('read nothing') });
    expect(body.destroyed).toBe(true);
    expect(pulled).toBeLessThan(manyEvents);
    expect(body.readableLength).toBeLessThan(2 * text.length);
    expect(closed.count).toBeGreaterThan(0);
  });

  it('sends pings while there are no events', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { client } = await open(events(0, promise), 20);
    let all = '';
    client.setEncoding('utf8').on('data', (chunk: string) => void (all += chunk));
    client.resume();
    await waitFor('three pings', () => all.match(/^: ping$/gm)?.length ?? 0, {
      until: (count) => count >= 3,
    });
    resolve();
  });

  it('discards unsent events when the stream is aborted', async () => {
    const { body, ending } = await open(events(manyEvents), 60_000);
    await waitFor('a client that does not keep up', () => body.readableLength, {
      until: (length) => length > 0 && pulled > 1,
    });
    ending.abort(new Error('the key was revoked'));
    await waitFor('the end', () => body.destroyed, { until: (isDestroyed) => isDestroyed });
  });
});
