import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A proxy in front of a server that counts the bytes of requests and responses. */
export type CountingProxy = Readonly<{
  /** The connection string of the server, through the proxy. */
  connectionString: string;
  /** Bytes since the last call. */
  taken: () => Readonly<{ requested: number; answered: number }>;
  close: () => Promise<void>;
}>;

export async function openCountingProxy(connectionString: string): Promise<CountingProxy> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  let [requested, answered] = [0, 0];
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      // Either side may close first.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk) => (requested += chunk.length));
    server.on('data', (chunk) => (answered += chunk.length));
    client.pipe(server).pipe(client);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const through = new URL(connectionString);
  through.hostname = '127.0.0.1';
  // A TCP server that is listening has an address with a port.
  through.port = String((listener.address() as AddressInfo).port);
  return {
    connectionString: through.href,
    taken: () => {
      const taken = { requested, answered };
      [requested, answered] = [0, 0];
      return taken;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
