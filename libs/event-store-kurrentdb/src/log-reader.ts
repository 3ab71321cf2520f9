import {
  type ReadRevision,
  type RecordedEvent,
  BACKWARDS,
  END,
  FORWARDS,
} from '@eventstore/db-client';

import { within } from '#event-store-adapter';
import {
  type CallOptions,
  type Position,
  type ReadAll,
  type ReadStream,
  type StoredEvent,
  StoreUnavailableError,
  checkLimit,
  encodedSize,
  maxReadBytes,
} from '#event-sourcing';

import { type Call } from './answer-within.js';
import { awaitCommit } from './await-commit.js';
import { type Connection } from './connection.js';
import { withGrowingLimit } from './growing-limit.js';
import { LogHead } from './log-head.js';
import { LogReads, fresh } from './log-reads.js';
import { type Namespace } from './namespace.js';
import { comparePositions, toClientPosition } from './position.js';
import { type Keeping } from './read-events.js';
import { Reads } from './reads.js';
import { askServerVersion } from './server-version.js';
import { fromStoredForm } from './stored-form.js';

/** The limit of the first search, as a multiple of `answerLimitMs`. */
const searchLimit = 12;

/** Reads streams and the log from the leader. */
export class LogReader {
  readonly #reads: Reads;
  readonly #log: LogReads;
  readonly #head: LogHead;

  constructor(
    private readonly connection: Connection,
    private readonly names: Namespace,
    answerLimitMs: number,
  ) {
    this.#reads = new Reads(connection, answerLimitMs);
    this.#log = new LogReads(this.#reads, names, answerLimitMs);
    const search = (limit: AbortSignal) => this.#log.searchUntil(limit).newestOfOurs();
    this.#head = new LogHead(names, withGrowingLimit(search, searchLimit * answerLimitMs));
  }

  async readStream(
    stream: string,
    { from, direction = 'forwards', limit }: ReadStream,
    options?: CallOptions,
  ): Promise<StoredEvent[]> {
    checkLimit(limit);
    return this.#within(options, (over) =>
      direction === 'forwards'
        ? this.#readForwards(stream, revisionOf(Math.max(from ?? 1, 1)), limit, over)
        : this.#readBack(stream, from, limit, over),
    );
  }

  /** Reads up to the newest event of the namespace, so that later foreign events are not searched. */
  async readAll({ after, limit }: ReadAll, options?: CallOptions): Promise<StoredEvent[]> {
    checkLimit(limit);
    const from = toClientPosition(after);
    return this.#within(options, async (over) => {
      const head = await this.#findHead(over);
      if (comparePositions(after, head) >= 0) return [];
      // The server includes the position itself.
      const maxCount = after === 'start' ? limit : limit + 1;
      const found = await this.#log.readOurs(over, { from, direction: FORWARDS, maxCount }, () =>
        this.#upTo(head, { after, maxCount }),
      );
      const behind = (event: StoredEvent) => comparePositions(event.position, after) > 0;
      return found.flatMap((event) => (event && behind(event) ? event : [])).slice(0, limit);
    });
  }

  head(options?: CallOptions): Promise<Position | 'start'> {
    return this.#within(options, (over) => this.#findHead(over));
  }

  /** The error for a call whose deadline has passed. */
  late(): StoreUnavailableError {
    return new StoreUnavailableError(`KurrentDB does not answer${this.connection.unreached}`);
  }

  /** The version that the server reports. */
  serverVersion(options?: CallOptions): Promise<string> {
    return this.#within(options, (over) => this.#reads.call(over, askServerVersion));
  }

  /** The first event of a stream, by the server's name of the stream. */
  findFirst(serverStream: string, options?: CallOptions): Promise<RecordedEvent | undefined> {
    return this.#within(options, async (over) => {
      const open = ({ client }: Call) => client.readStream(serverStream, { ...fresh, maxCount: 1 });
      const [first] = await this.#reads.read(over, open, { keep: ({ event }) => event });
      return first;
    });
  }

  /** {@link awaitCommit} for an event, by the server's name of its stream. */
  async untilReadable(serverStream: string, version: number, over: AbortSignal): Promise<void> {
    if (version < 1) return;
    await awaitCommit(this.#reads, { serverStream, revision: revisionOf(version) }, over);
  }

  /**
   * Selects at most `maxCount` events up to `head`, and ends with the event after `after` that exceeds the limit of
   * bytes.
   */
  #upTo(
    head: Position | 'start',
    { after, maxCount }: Readonly<{ after: Position | 'start'; maxCount: number }>,
  ): Keeping<StoredEvent | undefined> {
    let bytes = 0;
    return {
      keep: ({ event }) => event && fromStoredForm(event, this.names),
      isLast: (event, count) => {
        if (!event || comparePositions(event.position, after) <= 0) return false;
        bytes += encodedSize(event);
        const isFull = count === maxCount || bytes >= maxReadBytes;
        return isFull || comparePositions(event.position, head) >= 0;
      },
    };
  }

  #findHead(over: AbortSignal): Promise<Position | 'start'> {
    return this.#head.find(this.#log.searchUntil(over));
  }

  async #readForwards(
    stream: string,
    fromRevision: bigint,
    maxCount: number,
    over: AbortSignal,
  ): Promise<StoredEvent[]> {
    return this.#readOurs(over, ({ client }) =>
      client.readStream(this.names.toServer(stream), { ...fresh, fromRevision, maxCount }),
    );
  }

  async #readBack(
    stream: string,
    from: number | undefined,
    limit: number,
    over: AbortSignal,
  ): Promise<StoredEvent[]> {
    if (from === undefined) return this.#readBackwards(stream, END, limit, over);
    if (from < 1) return [];
    const found = await this.#readBackwards(stream, revisionOf(from), limit, over);
    // Servers differ in their result for a start after the end of the stream.
    return found.length > 0 ? found : this.#readBackwards(stream, END, limit, over);
  }

  async #readBackwards(
    stream: string,
    fromRevision: ReadRevision,
    maxCount: number,
    over: AbortSignal,
  ): Promise<StoredEvent[]> {
    const direction = BACKWARDS;
    return this.#readOurs(over, ({ client }) =>
      client.readStream(this.names.toServer(stream), {
        ...fresh,
        fromRevision,
        maxCount,
        direction,
      }),
    );
  }

  async #readOurs(over: AbortSignal, open: Parameters<Reads['read']>[1]): Promise<StoredEvent[]> {
    const found = await this.#reads.read(over, open, {
      keep: ({ event }) => event && fromStoredForm(event, this.names),
    });
    return found.flatMap((event) => event ?? []);
  }

  #within<T>(
    options: CallOptions | undefined,
    work: (over: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return within(options, () => this.late(), work);
  }
}

function revisionOf(version: number): bigint {
  return BigInt(version) - 1n;
}
