import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export type Balancer = Readonly<{ address: string; close: () => Promise<void> }>;

/** Forwards the connections of one address to several servers in turn, and skips servers that refuse. */
export async function openBalancer(addresses: () => readonly string[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const listener = createServer((client) => {
    track(client);
    const targets = addresses();
    forward(client, targets.length);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // The address of a listening TCP server has a port.
  const { port } = listener.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  }

  function forward(client: Socket, tries: number): void {
    const targets = addresses();
    const target = targets[turn++ % Math.max(targets.length, 1)];
    if (target === undefined || tries === 0) return void client.resetAndDestroy();
    const server = connect(Number(new URL(target).port), '127.0.0.1');
    track(server);
    let connected = false;
    server.on('connect', () => {
      connected = true;
      client.pipe(server).pipe(client);
      client.on('close', () => server.destroy());
    });
    server.on('close', () => {
      // No byte was sent yet, so that another server can take the connection. If a server dies later, its connections
      // break.
      if (connected) client.resetAndDestroy();
      else forward(client, tries - 1);
    });
  }
}
