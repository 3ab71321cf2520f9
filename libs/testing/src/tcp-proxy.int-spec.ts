import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

import { jest } from '@jest/globals';

import { type TcpProxy, openTcpProxy } from './tcp-proxy.js';

const delayMs = 50;

describe('a TCP proxy', () => {
  let proxy: TcpProxy;
  let server: Socket;
  let client: Socket;
  let close: () => void;

  beforeEach(async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    // A TCP server that is listening has an address with a port.
    const { port } = listener.address() as AddressInfo;
    proxy = await openTcpProxy({ host: '127.0.0.1', port });
    const accepted = once(listener, 'connection');
    client = connect(proxy.port, '127.0.0.1');
    [server] = await accepted;
    server.setNoDelay(true).on('error', () => undefined);
    close = () => listener.close();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    client.destroy();
    await proxy.close();
    close();
  });

  it('preserves the order of the data, regardless of a late timer', async () => {
    const clock = useClock();
    proxy.delay(delayMs);
    server.write('first ');
    await clock.timeRead();

    // The first chunk is due, and its timer has not fired yet because the process was busy.
    clock.now = delayMs + 1;
    proxy.delay(0);
    server.write('second');

    expect(await read('first second'.length)).toBe('first second');
  });

  async function read(length: number): Promise<string> {
    let received = '';
    for await (const chunk of client) {
      received += chunk;
      if (received.length >= length) break;
    }
    return received;
  }
});

/** A clock that does not advance; `timeRead` resolves when its time is read. */
function useClock() {
  const timeRead = Promise.withResolvers<void>();
  const clock = { now: 0, timeRead: () => timeRead.promise };
  jest.spyOn(performance, 'now').mockImplementation(() => {
    timeRead.resolve();
    return clock.now;
  });
  return clock;
}
