import { type ContextId, contextStream } from '../contexts/context-stream.js';
import { type ParkedContext } from './dead-letters.js';
import { lacksEvents } from './missing-events.js';
import { type Retried, type Stores, retryParked } from './retry-dead-letter.js';

/** What a projector is told of its retries. */
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

  constructor(
    private readonly stores: Stores,
    private readonly signal: AbortSignal,
    private readonly events: RetryEvents,
  ) {}

  /** What was set aside before may go well now: with newer code, or after a repair. */
  retryAll(partitions: ReadonlySet<number>): void {
    this.#retryNext(() => ({ partitions }));
  }

  /** The feed may have left out what the stream holds. One retry serves all contexts that join before it begins. */
  retryGaps(parked: readonly ParkedContext[], partitions: ReadonlySet<number>): void {
    const isPlanned = this.#withGaps.size > 0;
    for (const context of parked.filter(lacksEvents)) this.#withGaps.add(contextStream(context));
    if (isPlanned || this.#withGaps.size === 0) return;
    this.#retryNext(() => {
      const streams = this.#withGaps;
      this.#withGaps = new Set();
      const which = (letter: ContextId) => streams.has(contextStream(letter));
      return { partitions, which };
    });
  }

  /** Resolves when none is under way. */
  async end(): Promise<void> {
    await this.#last;
  }

  #retryNext(select: () => Retried): void {
    this.#last = this.#last.then(() => this.#retry(select()));
  }

  async #retry(retried: Retried): Promise<void> {
    if (this.signal.aborted) return;
    try {
      for (const parked of await retryParked(this.stores, retried, this.signal))
        this.events.parked(parked);
    } catch (error) {
      if (!this.signal.aborted) this.events.failed(error);
    }
  }
}
