import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A stretch of network between a client and a server of a test, and what can go wrong there. */
export type TcpProxy = {
  readonly port: number;
  /** Breaks every open connection; new ones are let through. */
  reset(): void;
  /** Keeps connections open, and opens new ones, but lets nothing through until `heal`. */
  blackHole(): void;
  heal(): void;
  /** Holds back everything the server says by this long. */
  delay(milliseconds: number): void;
  /** Lets the server say only so many bytes a second; undefined lifts it. */
  trickle(bytesPerSecond: number | undefined): void;
  /**
   * Lets the next client message that contains `text` through, but neither the server's answer to it nor anything
   * after; then breaks the connection or leaves it silent. Resolves once the server has answered.
   */
  dropAnswerTo(text: string, then: 'reset' | 'silence'): Promise<void>;
  close(): Promise<void>;
};

type Trap = Readonly<{ text: string; then: 'reset' | 'silence'; sprung: () => void }>;

type Link = {
  client: Socket;
  server: Socket;
  trap: Trap | undefined;
  isSprung: boolean;
  held: (() => void)[];
  /** What the server has said and the client has not heard yet, in its order, and when each is due. */
  underWay: Readonly<{ chunk: Buffer; due: number }>[];
  /** When the last of what was said so far is due. */
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
      isSprung: false,
      held: [],
      underWay: [],
      busyUntil: 0,
    };
    links.add(link);
    for (const socket of [link.client, link.server]) {
      // What is slow here is slow on purpose.
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        links.delete(link);
        // It broke before the server had answered: the next message has to do.
        if (link.trap && !link.isSprung) trap ??= link.trap;
        link.trap = undefined;
        link.underWay = [];
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
      link.isSprung = true;
      link.trap.sprung();
      if (link.trap.then === 'reset') breakOff(link);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // A TCP server that listens has an address with a port.
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
      new Promise((sprung) => {
        trap = { text, then, sprung };
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
    link.underWay.push({ chunk, due: link.busyUntil });
    if (link.underWay.length === 1) deliver(link);
  }
}

/** One after the other: timers of their own would let a chunk overtake another that is due at the same moment. */
function deliver(link: Link): void {
  for (let next; (next = link.underWay[0]); link.underWay.shift()) {
    const leftMs = next.due - performance.now();
    if (leftMs > 0) return void setTimeout(() => deliver(link), leftMs);
    link.client.write(next.chunk);
  }
}

function breakOff(link: Link): void {
  link.client.resetAndDestroy();
  link.server.destroy();
}
