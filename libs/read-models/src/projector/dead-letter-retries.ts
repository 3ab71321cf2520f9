import { type ContextId, contextStream } from '#shared-context';

import { type ParkedContext } from './dead-letters.js';
import { lacksEvents } from './missing-events.js';
import { type Retried, type Stores, retryParked } from './retry-dead-letter.js';

/** Who hears of the retries. */
type RetryEvents = Readonly<{
  parked: (context: ParkedContext) => void;
  failed: (error: unknown) => void;
}>;

/**
 * Tries contexts that were set aside again, one retry after another, beside the projection: there may be many, and long ones.
 * What cannot be tried now is tried at the next takeover.
 */
export class DeadLetterRetries {
  #last: Promise<void> = Promise.resolve();
  /** Streams of contexts that were set aside in front of a gap, and not read again since. */
  #withGaps = new Set<string>();
  #isPlanned = false;

  constructor(
    private readonly stores: Stores,
    private readonly signal: AbortSignal,
    private readonly events: RetryEvents,
  ) {}

  /** What was set aside before may go well now: with newer code, or after a repair. */
  retryAll(partitions: ReadonlySet<number>): void {
    this.#retryNext(() => this.#retry({ partitions }));
  }

  /**
   * The feed may have left out what the stream holds. One retry serves all contexts that join before it begins; if it
   * fails, the next call repeats it.
   */
  retryGaps(partitions: ReadonlySet<number>, parked: readonly ParkedContext[] = []): void {
    for (const context of parked.filter(lacksEvents)) this.#withGaps.add(contextStream(context));
    if (this.#isPlanned || this.#withGaps.size === 0) return;
    this.#isPlanned = true;
    this.#retryNext(async () => {
      const streams = this.#withGaps;
      this.#withGaps = new Set();
      this.#isPlanned = false;
      const which = (letter: ContextId) => streams.has(contextStream(letter));
      try {
        await this.#retry({ partitions, which });
      } catch (error) {
        for (const stream of streams) this.#withGaps.add(stream);
        throw error;
      }
    });
  }

  /** Resolves when none is under way. */
  async end(): Promise<void> {
    await this.#last;
  }

  #retryNext(retry: () => Promise<void>): void {
    this.#last = this.#last.then(async () => {
      if (this.signal.aborted) return;
      try {
        await retry();
      } catch (error) {
        if (!this.signal.aborted) this.events.failed(error);
      }
    });
  }

  async #retry(retried: Retried): Promise<void> {
    for (const parked of await retryParked(this.stores, retried, this.signal))
      this.events.parked(parked);
  }
}
