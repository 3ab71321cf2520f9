import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A proxy that counts the bytes of the server's answers. */
export async function openCountingProxy(connectionString) {
  const target = new URL(connectionString);
  const sockets = new Set();
  let answered = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Either side may disconnect first.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    upstream.on('data', (chunk) => (answered += chunk.length));
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(connectionString);
  through.hostname = '127.0.0.1';
  through.port = String(server.address().port);
  return {
    connectionString: through.href,
    /** The bytes since the last call. */
    taken: () => {
      const bytes = answered;
      answered = 0;
      return bytes;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
