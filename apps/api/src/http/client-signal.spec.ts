import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import { clientSignal } from './connections.js';

describe('the signal of a client', () => {
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

  it('aborts when the client goes', async () => {
    const { client, response } = await request();
    const signal = clientSignal(response);
    expect(signal.aborted).toBe(false);
    const closed = once(response, 'close');
    client.destroy();
    await closed;
    expect(signal.aborted).toBe(true);
  });

  it('has aborted where the client went before anybody asked', async () => {
    const { client, response } = await request();
    const closed = once(response, 'close');
    client.destroy();
    await closed;
    expect(clientSignal(response).aborted).toBe(true);
  });

  it('stays quiet for a client that was answered', async () => {
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
