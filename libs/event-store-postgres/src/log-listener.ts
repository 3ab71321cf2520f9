import { type Pool, type PoolClient } from 'pg';

import { backOff } from '#event-store-adapter';

import { checkOut } from './run-statement.js';
import { type LogSignal } from './log-signal.js';

/** Listens on one connection for all subscribers of this process; reconnects after a loss. */
export class LogListener {
  readonly #closing = new AbortController();
  #listening: Promise<void> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly signal: LogSignal,
    private readonly answerLimitMs: number,
  ) {}

  /** Starts listening; further calls have no effect. */
  start(): void {
    this.#listening ??= this.#listen();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    for (let attempt = 0; !this.#closing.signal.aborted; attempt++) {
      const received = await this.#listenOnce().catch(() => false);
      if (received) attempt = 0;
      await backOff(attempt, this.#closing.signal);
    }
  }

  /** Listens until the connection is lost; true if a notification was received. Subscribers poll in the meantime. */
  async #listenOnce(): Promise<boolean> {
    const client = await checkOut(this.pool, this.answerLimitMs);
    let received = false;
    const lost = connectionEnd(client, this.#closing.signal);
    client.on('notification', ({ payload }) => {
      received = true;
      if (payload && /^\d+$/.test(payload)) this.signal.announce(BigInt(payload));
    });
    try {
      await Promise.race([client.query('listen throughline_log'), lost]);
      await lost;
    } finally {
      // The connection is destroyed, since a pooled connection must not continue to listen.
      client.release(true);
    }
    return received;
  }
}

function connectionEnd(client: PoolClient, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
    closing.addEventListener('abort', () => resolve());
    // If it was closed while connecting, no event follows.
    if (closing.aborted) resolve();
  });
}
