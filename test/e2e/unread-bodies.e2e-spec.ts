import { once } from 'node:events';
import { connect } from 'node:net';

import { lingeringLimits } from '../../apps/api/src/http/connections.js';
import { sendBeforeReading } from './raw-request.js';
import { rootKey, ThroughlineServer } from './throughline-server.js';

const mebibyte = 1_048_576;
const chunk = Buffer.alloc(mebibyte, ' ');
const json = 'Content-Type: application/json';
const authorization = `Authorization: Bearer ${rootKey}`;

describe('a body that the server does not read', () => {
  let server: ThroughlineServer;
  let path: string;
  beforeAll(async () => {
    server = await ThroughlineServer.shared();
    path = await server.context('unread-bodies');
  }, 120_000);
  afterAll(() => server.stop());

  /** The start of the request: the request line and the headers, except those about the length of the body. */
  const refused: readonly [string, number, string, readonly string[]][] = [
    ['too large', 413, 'POST /step-outputs', [authorization, json]],
    ['too large for a document', 413, 'PUT ', [authorization, json, 'If-Match: "1"']],
    ['too large for nothing', 413, 'POST /nothing', [authorization, json]],
    ['without a key', 401, 'POST /step-outputs', [json]],
    ['with a wrong key', 401, 'POST /step-outputs', ['Authorization: Bearer nobody', json]],
    ['with two keys', 400, 'POST /step-outputs', [authorization, authorization, json]],
    ['no JSON', 415, 'POST /step-outputs', [authorization, 'Content-Type: text/plain']],
    ['of a long path', 422, `POST /steps/${'a'.repeat(5000)}/start`, [authorization, json]],
    ['of a read', 200, 'GET ', [authorization]],
  ];

  function headOf(line: string, headers: readonly string[], length: string): string {
    const [method, subPath] = line.split(' ');
    const all = ['Host: localhost', `Workspace: ${server.workspace}`, ...headers, length];
    return `${method} ${path}${subPath} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`;
  }

  it.each(refused)(
    '%s: a client that sends 20 MiB before it reads gets the %i each time',
    async (_, status, line, headers) => {
      const head = headOf(line, headers, `Content-Length: ${20 * mebibyte}`);
      const chunked = headOf(line, headers, 'Transfer-Encoding: chunked');
      const parts = Array.from({ length: 20 }, () => chunk);
      const frame = [...parts.flatMap((part) => ['100000\r\n', part, '\r\n']), '0\r\n\r\n'];
      for (let time = 0; time < 4; time++) {
        const answer = await (time % 2 === 0
          ? sendBeforeReading(server.url, [head, ...parts])
          : sendBeforeReading(server.url, [chunked, ...frame]));
        expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
        expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
        expect(answer.trimEnd().endsWith('}')).toBe(true);
      }
    },
    60_000,
  );

  const unendingRequests: readonly [string, (length: string) => string][] = [
    ...refused.map(([name, , line, headers]): [string, (length: string) => string] => [
      name,
      (length) => headOf(line, headers, length),
    ]),
    ['of no HTTP', (length) => `NO HTTP\r\n${length}\r\n\r\n`],
    ['of a tunnel', (length) => `CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n`],
  ];

  it.each(unendingRequests)(
    '%s: a client that does not stop sending is answered and cut off',
    async (_, head) => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      let answer = '';
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
      const closed = once(socket, 'close');
      socket.write(head('Transfer-Encoding: chunked'));
      let sent = 0;
      const send = () => {
        if (!socket.writable) return;
        sent += chunk.length;
        socket.write(`100000\r\n${chunk}\r\n`, () => setImmediate(send));
      };
      send();
      await closed;
      expect(answer).toMatch(/^HTTP\/1.1 \d{3} /);
      // The buffers of both systems come in addition.
      expect(sent).toBeLessThan(2 * lingeringLimits.bytes);
    },
    60_000,
  );

  it('a request after a refused one on the same connection is not executed', async () => {
    const first = headOf('POST /step-outputs', [json], `Content-Length: ${2 * mebibyte}`);
    const body = '{"stepId":"behind","output":1}';
    const second = headOf(
      'POST /step-outputs',
      [authorization, json],
      `Content-Length: ${body.length}`,
    );
    const last = Buffer.concat([chunk, Buffer.from(second + body)]);
    await sendBeforeReading(server.url, [first, chunk, last]);
    const { body: events } = await server.get(`${path}/events`);
    expect(events.items).toHaveLength(1);
  });

  it('an answer leaves the connection open if the body is small', async () => {
    const { headers } = await server.post(`${path}/step-outputs`, {}, { key: null });
    expect(headers['connection']).toBe('keep-alive');
  });

  it('a client that resets its connection does not affect others', async () => {
    const { hostname, port } = new URL(server.url);
    for (const head of ['CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n', 'NO HTTP\r\n\r\n']) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(head);
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    expect((await server.get('/health/live', { key: null })).status).toBe(200);
  });
});
