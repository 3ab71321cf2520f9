import { type Position, type ReadAll, type StoredEvent } from '#event-sourcing';

import { type LogSignal } from './log-signal.js';

/**
 * The next events of the log, and the newest position known when the read began: the events include everything up to
 * it.
 */
export type Portion = Readonly<{ events: readonly StoredEvent[]; known: bigint }>;

/** Reads for all subscribers of a process: subscribers at the same position share one read. */
export class FeedReader {
  readonly #reading = new Map<string, Promise<Portion>>();

  constructor(
    private readonly read: (next: ReadAll) => Promise<StoredEvent[]>,
    private readonly log: LogSignal,
  ) {}

  next(after: Position | 'start', limit: number): Promise<Portion> {
    const key = `${after}/${limit}`;
    const shared = this.#reading.get(key);
    if (shared) return shared;
    const reading = this.#read(after, limit).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(after: Position | 'start', limit: number): Promise<Portion> {
    const known = this.log.latest;
    return { known, events: await this.read({ after, limit }) };
  }
}
