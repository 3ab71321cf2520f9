import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { handleClientError } from './client-error.handler.js';
import { noteRequest } from './connections.js';

describe('input that is not a valid request', () => {
  const limits = { headersTimeout: 1, requestTimeout: 1, connectionsCheckingInterval: 1 };
  const serverWithTimeouts = createServer(limits).on('clientError', handleClientError);
  const serverWithoutTimeouts = createServer().on('clientError', handleClientError);
  const servers = [serverWithTimeouts, serverWithoutTimeouts];
  beforeAll(() =>
    Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening'))),
  );
  afterAll(() => servers.forEach((server) => server.close()));

  async function answerOf(server: Server, message: string): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    client.write(message);
    return text(client);
  }

  it.each([
    ['a head that does not arrive in time', 'GET / HTTP/1.1\r\nHost: x'],
    [
      'a body that does not arrive in time',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n',
    ],
  ])('is answered with 408: %s', async (_, message) => {
    const answer = await answerOf(serverWithTimeouts, message);
    expect(answer).toMatch(/^HTTP\/1.1 408 [^]*\/problems\/request-timeout"/);
  });

  // Uses the server without short timeouts: on a busy machine, reading the first byte may take longer than a millisecond.
  it('is answered with 400 if it is not HTTP', async () => {
    const answer = await answerOf(serverWithoutTimeouts, 'hello\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*\/problems\/invalid-header"/);
  });
});

describe('unparsable input after valid requests', () => {
  const server = createServer().on('request', noteRequest).on('clientError', handleClientError);
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => server.close());

  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

  it('is answered once, after the answers to the requests', async () => {
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    const responses: ServerResponse[] = [];
    const arrived = new Promise<void>((resolve) =>
      server.on('request', (_, response) => {
        if (responses.push(response) === 2) resolve();
      }),
    );
    const refused = once(server, 'clientError');
    client.write(`${request}${request}hello\r\n\r\n`);
    await Promise.all([arrived, refused]);
    client.write('and more\r\n\r\n');
    for (const [at, response] of responses.entries()) response.end(`answer ${at + 1}`);
    const answers = await text(client);
    expect(answers).toMatch(/^HTTP\/1.1 200 [^]*answer 1[^]*answer 2[^]*HTTP\/1.1 400 /);
    expect(answers.match(/HTTP\/1.1 400/g)).toHaveLength(1);
  });

  it('ends the request whose body it is', async () => {
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    client.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n');
    await expect(text(client)).resolves.toMatch(/^HTTP\/1.1 400 /);
  });
});
