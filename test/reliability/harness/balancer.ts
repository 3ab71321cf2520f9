import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export type Balancer = Readonly<{ address: string; close: () => Promise<void> }>;

/** One address for several servers, which takes its connections to each in turn and passes over those that refuse. */
export async function openBalancer(addresses: () => readonly string[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const listener = createServer((client) => {
    keep(client);
    const targets = addresses();
    forward(client, targets.length);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = listener.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  }

  function forward(client: Socket, tries: number): void {
    const targets = addresses();
    const target = targets[turn++ % Math.max(targets.length, 1)];
    if (target === undefined || tries === 0) return void client.resetAndDestroy();
    const server = connect(Number(new URL(target).port), '127.0.0.1');
    keep(server);
    let connected = false;
    server.on('connect', () => {
      connected = true;
      client.pipe(server).pipe(client);
      client.on('close', () => server.destroy());
    });
    server.on('close', () => {
      // Nothing was sent yet: another may take it. A server that died half way breaks its connections.
      if (connected) client.resetAndDestroy();
      else forward(client, tries - 1);
    });
  }
}
