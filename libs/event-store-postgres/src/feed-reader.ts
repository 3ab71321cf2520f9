import { type Position, type ReadAll, type StoredEvent } from '#event-sourcing';

import { type LogSignal } from './log-signal.js';

/** The next events of the log, and the newest position known when they were read: they hold everything up to it. */
export type Portion = Readonly<{ events: readonly StoredEvent[]; known: bigint }>;

/** Reads for all subscribers of a process: those who wait at the same place share one read. */
export class FeedReader {
  readonly #reading = new Map<string, Promise<Portion>>();

  constructor(
    private readonly read: (next: ReadAll) => Promise<StoredEvent[]>,
    private readonly log: LogSignal,
  ) {}

  next(after: Position | 'start', limit: number): Promise<Portion> {
    const place = `${after}/${limit}`;
    const shared = this.#reading.get(place);
    if (shared) return shared;
    const reading = this.#read(after, limit).finally(() => this.#reading.delete(place));
    this.#reading.set(place, reading);
    return reading;
  }

  async #read(after: Position | 'start', limit: number): Promise<Portion> {
    const known = this.log.latest;
    return { known, events: await this.read({ after, limit }) };
  }
}
