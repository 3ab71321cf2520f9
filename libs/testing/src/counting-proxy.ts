import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A way to a server that counts what is asked of it and what it answers. */
export type CountingProxy = Readonly<{
  /** As the server's own, but by this way. */
  connectionString: string;
  /** Bytes since the last time it was asked. */
  taken: () => Readonly<{ asked: number; answered: number }>;
  close: () => Promise<void>;
}>;

export async function openCountingProxy(connectionString: string): Promise<CountingProxy> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  let [asked, answered] = [0, 0];
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      // Either side may go away first.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk) => (asked += chunk.length));
    server.on('data', (chunk) => (answered += chunk.length));
    client.pipe(server).pipe(client);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const through = new URL(connectionString);
  through.hostname = '127.0.0.1';
  // A TCP server that listens has an address with a port.
  through.port = String((listener.address() as AddressInfo).port);
  return {
    connectionString: through.href,
    taken: () => {
      const taken = { asked, answered };
      [asked, answered] = [0, 0];
      return taken;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
