import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A network connection between a client and a server of a test, and its possible failures. */
export type TcpProxy = {
  readonly port: number;
  /** Breaks every open connection; new connections are accepted. */
  reset(): void;
  /** Leaves connections open, and opens new ones, but forwards nothing until `heal`. */
  blackHole(): void;
  heal(): void;
  /** Delays all data of the server by this time. */
  delay(milliseconds: number): void;
  /** Limits the data of the server to this many bytes per second; undefined removes the limit. */
  trickle(bytesPerSecond: number | undefined): void;
  /**
   * Forwards the next client message that contains `text`, but neither the server's response to it nor any later data.
   * Then breaks the connection or leaves it silent. Resolves once the server has responded.
   */
  dropAnswerTo(text: string, then: 'reset' | 'silence'): Promise<void>;
  close(): Promise<void>;
};

type Trap = Readonly<{ text: string; then: 'reset' | 'silence'; triggered: () => void }>;

type Link = {
  client: Socket;
  server: Socket;
  trap: Trap | undefined;
  isTriggered: boolean;
  held: (() => void)[];
  /**
   * The data of the server that the client has not received yet, in its order, and the time at which each chunk is due.
   */
  inFlight: Readonly<{ chunk: Buffer; due: number }>[];
  /** The time at which the last of the data so far is due. */
  busyUntil: number;
};

export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const links = new Set<Link>();
  let trap: Trap | undefined;
  let delayMs = 0;
  let rate: number | undefined;
  let isBlackHole = false;

  const listener = createServer((client) => {
    const link: Link = {
      client,
      server: connect(target),
      trap: undefined,
      isTriggered: false,
      held: [],
      inFlight: [],
      busyUntil: 0,
    };
    links.add(link);
    for (const socket of [link.client, link.server]) {
      // Only intended delays are wanted here.
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        links.delete(link);
        // The connection broke before the server had responded, so the trap moves to the next message.
        if (link.trap && !link.isTriggered) trap ??= link.trap;
        link.trap = undefined;
        link.inFlight = [];
        link.client.destroy();
        link.server.destroy();
      });
    }
    link.client.on('data', (chunk) => {
      if (trap && chunk.includes(trap.text)) {
        link.trap = trap;
        trap = undefined;
      }
      pass(link, () => link.server.write(chunk));
    });
    link.server.on('data', (chunk) => {
      if (!link.trap) return void pass(link, () => answer(link, chunk));
      link.isTriggered = true;
      link.trap.triggered();
      if (link.trap.then === 'reset') breakOff(link);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // A TCP server that is listening has an address with a port.
  const { port } = listener.address() as AddressInfo;

  return {
    port,
    reset: () => links.forEach(breakOff),
    blackHole: () => void (isBlackHole = true),
    heal: () => {
      isBlackHole = false;
      for (const link of links) for (const release of link.held.splice(0)) release();
    },
    delay: (milliseconds) => void (delayMs = milliseconds),
    trickle: (bytesPerSecond) => void (rate = bytesPerSecond),
    dropAnswerTo: (text, then) =>
      new Promise((triggered) => {
        trap = { text, then, triggered };
      }),
    close: async () => {
      links.forEach(breakOff);
      listener.close();
      await once(listener, 'close');
    },
  };

  function pass(link: Link, release: () => void): void {
    if (isBlackHole) link.held.push(release);
    else release();
  }

  function answer(link: Link, chunk: Buffer): void {
    const now = performance.now();
    const sendingMs = rate === undefined ? 0 : (chunk.length / rate) * 1_000;
    link.busyUntil = Math.max(link.busyUntil, now + delayMs) + sendingMs;
    link.inFlight.push({ chunk, due: link.busyUntil });
    if (link.inFlight.length === 1) deliver(link);
  }
}

/** One after another: with a timer each, a chunk could overtake another that is due at the same moment. */
function deliver(link: Link): void {
  for (let next; (next = link.inFlight[0]); link.inFlight.shift()) {
    const leftMs = next.due - performance.now();
    if (leftMs > 0) return void setTimeout(() => deliver(link), leftMs);
    link.client.write(next.chunk);
  }
}

function breakOff(link: Link): void {
  link.client.resetAndDestroy();
  link.server.destroy();
}
