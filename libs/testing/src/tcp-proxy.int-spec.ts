import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

import { jest } from '@jest/globals';

import { type TcpProxy, openTcpProxy } from './tcp-proxy.js';

const delayMs = 50;

describe('a stretch of network', () => {
  let proxy: TcpProxy;
  let server: Socket;
  let client: Socket;
  let close: () => void;

  beforeEach(async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    // A TCP server that listens has an address with a port.
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

  it('lets nothing overtake what was said before, however late a timer is', async () => {
    const clock = useClock();
    proxy.delay(delayMs);
    server.write('first ');
    await clock.asked();

    // The first is due, and its timer has not been heard yet: the process was busy.
    clock.now = delayMs + 1;
    proxy.delay(0);
    server.write('second');

    expect(await read('first second'.length)).toBe('first second');
  });

  async function read(length: number): Promise<string> {
    let heard = '';
    for await (const chunk of client) {
      heard += chunk;
      if (heard.length >= length) break;
    }
    return heard;
  }
});

/** A clock that stands still; `asked` resolves when somebody looks at it. */
function useClock() {
  const asked = Promise.withResolvers<void>();
  const clock = { now: 0, asked: () => asked.promise };
  jest.spyOn(performance, 'now').mockImplementation(() => {
    asked.resolve();
    return clock.now;
  });
  return clock;
}
