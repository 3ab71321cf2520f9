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
   * How long a subscription may be quiet before the head of the log is compared with it. Each that stalls without a new
   * event gives the next one twice as long.
   */
  quietMs: number;
  head: (options: { signal: AbortSignal }) => Promise<Position | 'start'>;
}>;

const longestQuietMs = 60_000;

/**
 * Subscribes again whenever the server or the network ends a subscription, behind the last event given out, and
 * where one delivers nothing although there is something. Delivery is at least once: what comes again is passed over.
 * Throws RangeError where the server does not know the position, and {@link UnusableEventError}.
 */
export async function* followLog(
  source: LogSource,
  { after, batchSize, signal }: SubscribeAll,
): AsyncGenerator<readonly StoredEvent[]> {
  const place = new Place(after);
  let { quietMs } = source;
  for (let failures = 0; !signal.aborted;) {
    const from = toClientPosition(place.resumeAt);
    const { client } = source.connection;
    const feed = new Feed(client, source.names, from);
    try {
      for await (const batch of place.follow({ ...source, quietMs }, feed, {
        batchSize,
        signal,
      })) {
        failures = 0;
        quietMs = source.quietMs;
        source.connection.heard(client);
        yield batch;
      }
      // It has stalled, unless it was aborted: a large event over a slow network may need longer than that.
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

/** How far a subscriber has come, over any number of subscriptions. */
class Place {
  /** The server's word that nothing of ours lies between the last event and here. */
  #passed: Position | undefined;

  constructor(private at: Position | 'start') {}

  get resumeAt(): Position | 'start' {
    return this.#passed ?? this.at;
  }

  /** What is new of a subscription, until it stalls. Throws what ended it. */
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
      // A checkpoint is no place to resume from if neither events nor checkpoints came behind it.
      this.#passed = isStalled ? feed.passed : (feed.passed ?? this.#passed);
    }
  }

  /** False where it has come before. */
  #advance(position: Position): boolean {
    if (comparePositions(position, this.at) <= 0) return false;
    this.at = position;
    return true;
  }

  /** There is something newer, and it does not come. */
  async #isStalled(
    { head, quietMs }: LogSource,
    feed: Feed,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (signal.aborted || comparePositions(await head({ signal }), this.at) <= 0) return false;
    return !(await feed.arrival(quietMs, signal));
  }
}
