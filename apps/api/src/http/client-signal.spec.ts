import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import { clientSignal } from './connections.js';

describe('the abort signal of a client', () => {
  const server = createServer();
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => server.close());

  async function request() {
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const response = await new Promise<ServerResponse>((resolve) => {
      server.once('request', (_, answer) => resolve(answer));
    });
    return { client, response };
  }

  it('aborts if the client disconnects', async () => {
    const { client, response } = await request();
    const signal = clientSignal(response);
    expect(signal.aborted).toBe(false);
    const closed = once(response, 'close');
    client.destroy();
    await closed;
    expect(signal.aborted).toBe(true);
  });

  it('is already aborted if the client had disconnected before', async () => {
    const { client, response } = await request();
    const closed = once(response, 'close');
    client.destroy();
    await closed;
    expect(clientSignal(response).aborted).toBe(true);
  });

  it('does not abort for a client that got its answer', async () => {
    const { client, response } = await request();
    const signal = clientSignal(response);
    const closed = once(response, 'close');
    response.end('ok');
    client.end();
    client.resume();
    await closed;
    expect(signal.aborted).toBe(false);
  });
});
