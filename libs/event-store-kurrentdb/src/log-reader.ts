import {
  type ReadPosition,
  type ReadRevision,
  type RecordedEvent,
  type ResolvedEvent,
  BACKWARDS,
  END,
  FORWARDS,
} from '@eventstore/db-client';

import { backOff, within } from '#event-store-adapter';
import {
  type CallOptions,
  type Position,
  type ReadAll,
  type ReadStream,
  type StoredEvent,
  StoreUnavailableError,
  checkLimit,
} from '#event-sourcing';

import { type Call, answerWithin } from './answer-within.js';
import {
  StreamNotFoundError,
  describeFailure,
  failureKindOf,
  isInvalidArgument,
} from './call-failure.js';
import { type Connection } from './connection.js';
import { LogHead } from './log-head.js';
import { type Namespace } from './namespace.js';
import { comparePositions, toClientPosition } from './position.js';
import { readEvents } from './read-events.js';
import { fromStoredForm } from './stored-form.js';

/** Followers may lag: what must be fresh is asked of the leader, and a node that is none refuses. */
const fresh = { requiresLeader: true } as const;

const mostAtOnce = 1_000;

/** Reads change nothing, so any failure that may pass is tried again until the deadline. */
export class LogReader {
  readonly #head: LogHead;

  constructor(
    private readonly connection: Connection,
    private readonly names: Namespace,
    private readonly answerLimitMs: number,
  ) {
    this.#head = new LogHead(names);
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

  async readAll({ after, limit }: ReadAll, options?: CallOptions): Promise<StoredEvent[]> {
    checkLimit(limit);
    const first = toClientPosition(after);
    return this.#within(options, async (over) => {
      const found: StoredEvent[] = [];
      for await (const page of this.#pages(first, limit + 1, over)) {
        // The server begins at the position itself.
        for (const event of this.#ours(page))
          if (comparePositions(event.position, found.at(-1)?.position ?? after) > 0)
            found.push(event);
        if (found.length >= limit) break;
      }
      return found.slice(0, limit);
    });
  }

  head(options?: CallOptions): Promise<Position | 'start'> {
    return this.#within(options, (over) =>
      this.#head.find((fromPosition, maxCount) =>
        this.#read(over, ({ client }) =>
          client.readAll({ ...fresh, direction: BACKWARDS, fromPosition, maxCount }),
        ),
      ),
    );
  }

  /** The first event of a stream by the server's name for it. */
  findFirst(serverStream: string, options?: CallOptions): Promise<RecordedEvent | undefined> {
    return this.#within(options, async (over) => {
      const [first] = await this.#read(over, ({ client }) =>
        client.readStream(serverStream, { ...fresh, maxCount: 1 }),
      );
      return first?.event;
    });
  }

  /** Everything in the log from a position on, whosever it is, each page beginning with the last event of the one before. */
  async *#pages(
    first: ReadPosition,
    firstSize: number,
    over: AbortSignal,
  ): AsyncGenerator<ResolvedEvent[]> {
    let fromPosition: ReadPosition | undefined = first;
    for (let maxCount = Math.min(firstSize, mostAtOnce); fromPosition;) {
      const from: ReadPosition = fromPosition;
      const page = await this.#read(over, ({ client }) =>
        client.readAll({ ...fresh, direction: FORWARDS, fromPosition: from, maxCount }),
      );
      yield page;
      fromPosition = page.length < maxCount ? undefined : page.at(-1)?.event?.position;
      maxCount = Math.min(maxCount * 2, mostAtOnce);
    }
  }

  async #readForwards(
    stream: string,
    fromRevision: bigint,
    maxCount: number,
    over: AbortSignal,
  ): Promise<StoredEvent[]> {
    const found = await this.#read(over, ({ client }) =>
      client.readStream(this.names.toServer(stream), { ...fresh, fromRevision, maxCount }),
    );
    return this.#ours(found);
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
    // Servers differ in what they give from behind the end.
    return found.length > 0 ? found : this.#readBackwards(stream, END, limit, over);
  }

  async #readBackwards(
    stream: string,
    fromRevision: ReadRevision,
    maxCount: number,
    over: AbortSignal,
  ): Promise<StoredEvent[]> {
    const direction = BACKWARDS;
    const found = await this.#read(over, ({ client }) =>
      client.readStream(this.names.toServer(stream), {
        ...{ ...fresh, fromRevision, maxCount, direction },
      }),
    );
    return this.#ours(found);
  }

  #ours(page: readonly ResolvedEvent[]): StoredEvent[] {
    return page.flatMap(({ event }) => (event && fromStoredForm(event, this.names)) ?? []);
  }

  #within<T>(
    options: CallOptions | undefined,
    work: (over: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return within(options, () => new StoreUnavailableError('KurrentDB does not answer'), work);
  }

  /** A stream that is not there reads as empty. */
  async #read(
    over: AbortSignal,
    open: (call: Call) => Parameters<typeof readEvents>[0],
  ): Promise<ResolvedEvent[]> {
    for (let attempt = 0; !over.aborted; attempt++) {
      try {
        return await answerWithin(this.connection, this.answerLimitMs, (call) =>
          readEvents(open(call), { ...call, left: AbortSignal.any([call.left, over]) }),
        );
      } catch (error) {
        if (error instanceof StreamNotFoundError) return [];
        if (isInvalidArgument(error))
          throw new RangeError(describeFailure(error), { cause: error });
        if (failureKindOf(error) === 'refused')
          throw new StoreUnavailableError(describeFailure(error), { cause: error });
      }
      await backOff(attempt, over);
    }
    throw new StoreUnavailableError('nobody waits for the answer of KurrentDB any more');
  }
}

function revisionOf(version: number): bigint {
  return BigInt(version) - 1n;
}
