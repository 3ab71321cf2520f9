import { type ContextId, contextStream } from '#shared-context';

import { type QuarantinedContext } from './dead-letters.js';
import { lacksEvents } from './missing-events.js';
import { type RetrySelection, type Stores, retryQuarantined } from './retry-dead-letter.js';

/** The listeners for the results of retries. */
type RetryEvents = Readonly<{
  quarantined: (context: QuarantinedContext) => void;
  failed: (error: unknown) => void;
}>;

/**
 * Retries quarantined contexts one by one, in parallel to the projection: there may be many, and a retry may take
 * long. A retry that cannot be made now is made after the next takeover.
 */
export class DeadLetterRetries {
  #last: Promise<void> = Promise.resolve();
  /** Streams of contexts that were quarantined because events were missing, and that were not read again since. */
  #withGaps = new Set<string>();
  #isPlanned = false;

  constructor(
    private readonly stores: Stores,
    private readonly signal: AbortSignal,
    private readonly events: RetryEvents,
  ) {}

  /** A quarantined context may succeed now: with newer code, or after a repair. */
  retryAll(partitions: ReadonlySet<number>): void {
    this.#retryNext(() => this.#retry({ partitions }));
  }

  /**
   * Retries contexts with gaps: the feed may have skipped events that the stream holds. One retry serves all contexts
   * that are added before it begins; if it fails, the next call repeats it.
   */
  retryGaps(
    partitions: ReadonlySet<number>,
    quarantined: readonly QuarantinedContext[] = [],
  ): void {
    for (const context of quarantined.filter(lacksEvents))
      this.#withGaps.add(contextStream(context));
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

  /** Resolves when no retry is running. */
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

  async #retry(retried: RetrySelection): Promise<void> {
    for (const quarantined of await retryQuarantined(this.stores, retried, this.signal))
      this.events.quarantined(quarantined);
  }
}
