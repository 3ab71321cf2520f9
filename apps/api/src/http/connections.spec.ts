import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

import { fastify } from 'fastify';

import { InMemoryEventStore } from '#event-sourcing';
import { ContextChanges } from '#application';

import {
  closeHook,
  lingerAfterAnswer,
  type LingeringLimits,
  lingerOnConnection,
} from './connections.js';

const chunk = Buffer.alloc(65_536, 'a');
const unlimited = { bytes: Infinity, ms: 600_000 };

/** Resolves when the socket closes, also after an error. */
function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

describe.each(['an HTTP answer', 'an answer written to the connection'])(
  'a connection that ends with %s',
  (kind) => {
    const isHttp = kind === 'an HTTP answer';
    const server = createServer();
    let limits: LingeringLimits;
    let requests: number;
    beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
    beforeEach(() => {
      limits = unlimited;
      requests = 0;
    });
    afterAll(() => server.close());

    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      requests += 1;
      if (requests > 1) return;
      lingerAfterAnswer(request, limits);
      response.writeHead(413, { Connection: 'close', 'Content-Length': 2 }).end('no');
    });
    server.on('connect', (_request: unknown, socket: Socket) => {
      socket.write('HTTP/1.1 413 \r\nContent-Length: 2\r\n\r\nno');
      lingerOnConnection(socket, limits);
    });

    /** A client that has sent the head of a request, and the socket of the server. */
    async function begin(length: number) {
      const { port } = server.address() as AddressInfo;
      const accepted = once(server, 'connection');
      const at = { port, host: '127.0.0.1', allowHalfOpen: true };
      const client = connect(at).on('error', () => undefined);
      const [head, body] = isHttp
        ? [`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}`, length]
        : ['CONNECT x:1 HTTP/1.1\r\nHost: x', length];
      client.write(`${head}\r\n\r\n`);
      const [socket]: Socket[] = await accepted;
      if (!socket) throw new Error('no connection');
      return { client, socket, body };
    }

    it('delivers the answer and an orderly end to a client that sends everything before it reads', async () => {
      const { client, body } = await begin(100 * chunk.length);
      client.pause();
      for (let sent = 0; sent < body; sent += chunk.length)
        await new Promise((resolve, reject) => {
          client.write(chunk, (error) => (error ? reject(error) : resolve(undefined)));
        });
      let received = '';
      client.setEncoding('utf8').on('data', (part: string) => (received += part));
      client.resume();
      await once(client, 'end');
      client.end();
      expect(received).toMatch(/^HTTP\/1.1 413[^]*\r\n\r\nno$/);
    });

    it('is closed after a number of bytes if the client does not stop sending', async () => {
      limits = { ...unlimited, bytes: 10 * chunk.length };
      const { client, socket } = await begin(1_000_000_000);
      const closed = closeOf(socket);
      const send = () => client.writable && client.write(chunk, () => setImmediate(send));
      send();
      await closed;
      client.destroy();
      expect(socket.bytesRead).toBeGreaterThan(limits.bytes);
      expect(socket.bytesRead).toBeLessThan(limits.bytes + 2 * chunk.length);
    });

    it('is closed after a time if the client neither sends nor disconnects', async () => {
      limits = { ...unlimited, ms: 1 };
      const { client, socket } = await begin(1_000_000_000);
      client.resume();
      await closeOf(socket);
      client.destroy();
    });

    it('is closed by the server if the client ends it', async () => {
      const { client, socket } = await begin(1_000_000_000);
      const closed = closeOf(socket);
      client.resume();
      await once(client, 'end');
      client.end();
      await closed;
    });
  },
);

describe('answers of a stopping server', () => {
  it.each(['before', 'after'])(
    'close their connections if it stops %s the hook is added',
    async (when) => {
      const changes = new ContextChanges(new InMemoryEventStore());
      const server = fastify();
      if (when === 'before') changes.stop();
      server.addHook('onSend', closeHook(changes));
      server.get('/', async () => 'answer');
      if (when === 'after') {
        expect((await server.inject('/')).headers.connection).toBe('keep-alive');
        changes.stop();
      }
      expect((await server.inject('/')).headers.connection).toBe('close');
      await server.close();
    },
  );
});
