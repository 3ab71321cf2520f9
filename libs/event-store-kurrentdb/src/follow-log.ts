import { backOff } from '#event-store-adapter';
import { type Position, type StoredEvent, type SubscribeAll } from '#event-sourcing';

import { isInvalidPosition, noSuchPosition } from './call-failure.js';
import { type Connection } from './connection.js';
import { Feed } from './feed.js';
import { type Namespace } from './namespace.js';
import { comparePositions, toClientPosition } from './position.js';
import { UnusableEventError } from './stored-form.js';

type LogSource = Readonly<{
  connection: Connection;
  names: Namespace;
  /**
   * How long a subscription may be quiet before the head of the log is compared with it. Each subscription that stalls
   * without a new event doubles the time for the next one.
   */
  quietMs: number;
  head: (options: { signal: AbortSignal }) => Promise<Position | 'start'>;
}>;

const longestQuietMs = 60_000;

/**
 * Subscribes again after the last event whenever the server or the network ends a subscription, or if one stalls.
 * Delivery is at least once; repeated events are skipped. Throws RangeError if the server does not know the position,
 * and {@link UnusableEventError}.
 */
export async function* followLog(
  source: LogSource,
  { after, batchSize, signal }: SubscribeAll,
): AsyncGenerator<readonly StoredEvent[]> {
  const progress = new SubscriberProgress(after);
  let { quietMs } = source;
  for (let failures = 0; !signal.aborted;) {
    const from = toClientPosition(progress.resumeAt);
    const { client } = source.connection;
    const feed = new Feed(client, source.names, from);
    try {
      for await (const batch of progress.follow({ ...source, quietMs }, feed, {
        batchSize,
        signal,
      })) {
        failures = 0;
        quietMs = source.quietMs;
        source.connection.heard(client);
        yield batch;
      }
      // It has stalled, unless it was aborted: a large event over a slow network may need more time.
      quietMs = Math.min(2 * quietMs, longestQuietMs);
    } catch (error) {
      if (isInvalidPosition(error)) throw new RangeError(noSuchPosition, { cause: error });
      if (error instanceof UnusableEventError) throw error;
      source.connection.failed(client, error, source.quietMs);
    } finally {
      feed.close();
    }
    await backOff(failures++, signal);
  }
}

/** How far a subscriber has got, over any number of subscriptions. */
class SubscriberProgress {
  /** A checkpoint of the server: no event of the namespace is between the last event and this position. */
  #passed: Position | undefined;

  constructor(private at: Position | 'start') {}

  get resumeAt(): Position | 'start' {
    return this.#passed ?? this.at;
  }

  /** New events of a subscription, until it stalls. Throws the error that ended it. */
  async *follow(
    source: LogSource,
    feed: Feed,
    { batchSize, signal }: Pick<SubscribeAll, 'batchSize' | 'signal'>,
  ): AsyncGenerator<readonly StoredEvent[]> {
    let isStalled = false;
    try {
      while (!isStalled && !signal.aborted) {
        const taken = await feed.take(batchSize, source.quietMs, signal);
        const batch = taken.filter(({ position }) => this.#advance(position));
        if (batch.length > 0) {
          this.#passed = undefined;
          yield batch;
        }
        isStalled = taken.length === 0 && (await this.#isStalled(source, feed, signal));
      }
    } finally {
      // A checkpoint is not used for resuming if neither events nor checkpoints followed it.
      this.#passed = isStalled ? feed.passed : (feed.passed ?? this.#passed);
    }
  }

  /** False if the event was delivered before. */
  #advance(position: Position): boolean {
    if (comparePositions(position, this.at) <= 0) return false;
    this.at = position;
    return true;
  }

  /** Whether a newer event exists that is not delivered. */
  async #isStalled(
    { head, quietMs }: LogSource,
    feed: Feed,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (signal.aborted || comparePositions(await head({ signal }), this.at) <= 0) return false;
    return !(await feed.arrival(quietMs, signal));
  }
}
