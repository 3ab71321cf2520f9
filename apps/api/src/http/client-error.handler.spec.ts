import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { handleClientError } from './client-error.handler.js';

describe('what never became a request', () => {
  const limits = { headersTimeout: 1, requestTimeout: 1, connectionsCheckingInterval: 1 };
  const server = createServer(limits).on('clientError', handleClientError);
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => server.close());

  it.each([
    ['a head that does not arrive in time', 'GET / HTTP/1.1\r\nHost: x', 408, 'request-timeout'],
    [
      'a body that does not arrive in time',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n',
      ...([408, 'request-timeout'] as const),
    ],
    ['no HTTP', 'hello\r\n\r\n', 400, 'invalid-header'],
  ])('is answered as %s', async (_, message, status, code) => {
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    client.write(message);
    const answer = await text(client);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*/problems/${code}"`));
  });
});
