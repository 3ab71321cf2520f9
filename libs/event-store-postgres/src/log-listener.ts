import { type Pool, type PoolClient } from 'pg';

import { backOff } from '#event-store-adapter';

import { checkOut } from './ask.js';
import { type LogSignal } from './log-signal.js';

/** Listens on one connection for all subscribers of this process, and again after it was lost. */
export class LogListener {
  readonly #closing = new AbortController();
  #listening: Promise<void> | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly signal: LogSignal,
    private readonly answerLimitMs: number,
  ) {}

  /** Begins to listen; without effect from the second time on. */
  start(): void {
    this.#listening ??= this.#listen();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    for (let attempt = 0; !this.#closing.signal.aborted; attempt++) {
      const heard = await this.#listenOnce().catch(() => false);
      if (heard) attempt = 0;
      await backOff(attempt, this.#closing.signal);
    }
  }

  /** Until the connection is lost; true if it had been heard from. Subscribers poll meanwhile. */
  async #listenOnce(): Promise<boolean> {
    const client = await checkOut(this.pool, this.answerLimitMs);
    let heard = false;
    const lost = connectionEnd(client, this.#closing.signal);
    client.on('notification', ({ payload }) => {
      heard = true;
      if (payload && /^\d+$/.test(payload)) this.signal.announce(BigInt(payload));
    });
    try {
      await Promise.race([client.query('listen throughline_log'), lost]);
      await lost;
    } finally {
      // Destroyed, for a pooled connection must not go on listening.
      client.release(true);
    }
    return heard;
  }
}

function connectionEnd(client: PoolClient, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
    closing.addEventListener('abort', () => resolve());
    // Closed while the connection was being made: no event will tell.
    if (closing.aborted) resolve();
  });
}
