import { type Server } from 'node:http';
import { type Socket } from 'node:net';

/**
 * The connections of a server by how many requests they wait to be answered. Node takes one on which no request has
 * come yet, or only the half of one, for busy; a server that stops would wait for it in vain.
 */
export class OpenConnections {
  readonly #waiting = new Map<Socket, number>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#waiting.set(socket, 0);
      socket.once('close', () => this.#waiting.delete(socket));
    });
    server.on('request', ({ socket }, response) => {
      this.#count(socket, 1);
      response.once('close', () => this.#count(socket, -1));
    });
  }

  /** Ends those that wait for no answer. */
  closeUnused(): void {
    for (const [socket, waiting] of this.#waiting) if (waiting === 0) socket.destroy();
  }

  #count(socket: Socket, change: 1 | -1): void {
    const waiting = this.#waiting.get(socket);
    if (waiting !== undefined) this.#waiting.set(socket, waiting + change);
  }
}
