import { setTimeout as delay } from 'node:timers/promises';

import {
  type Position as ClientPosition,
  type ReadAllOptions,
  type ReadPosition,
  type ReadRevision,
  type RecordedEvent,
  type ResolvedEvent,
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
} from '#event-sourcing';

import { type Call } from './answer-within.js';
import { type Connection } from './connection.js';
import { LogHead, type Place } from './log-head.js';
import { type Namespace } from './namespace.js';
import { asPosition, comparePositions, toClientPosition } from './position.js';
import { Reads } from './reads.js';
import { askServerVersion } from './server-version.js';
import { fromStoredForm } from './stored-form.js';

/** Followers may lag: what must be fresh is asked of the leader, and a node that is none refuses. */
const fresh = { requiresLeader: true } as const;

const mostAtOnce = 1_000;

const longestCommitMs = 3_000;
const [firstPauseMs, lastPauseMs] = [5, 40];

/** An event of the log; `ours` where it is of this store. */
type Passed = Readonly<{ at: ClientPosition | undefined; ours: StoredEvent | undefined }>;

/** The streams and the log, as the leader has them. */
export class LogReader {
  readonly #reads: Reads;
  readonly #head: LogHead;

  constructor(
    connection: Connection,
    private readonly names: Namespace,
    answerLimitMs: number,
  ) {
    this.#reads = new Reads(connection, answerLimitMs);
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
        for (const { ours } of page)
          if (ours && comparePositions(ours.position, found.at(-1)?.position ?? after) > 0)
            found.push(ours);
        if (found.length >= limit) break;
      }
      return found.slice(0, limit);
    });
  }

  head(options?: CallOptions): Promise<Position | 'start'> {
    return this.#within(options, (over) => this.#findHead(over));
  }

  /** What the server says of itself. */
  serverVersion(options?: CallOptions): Promise<string> {
    return this.#within(options, (over) => this.#reads.ask(over, askServerVersion));
  }

  /** The first event of a stream by the server's name for it. */
  findFirst(serverStream: string, options?: CallOptions): Promise<RecordedEvent | undefined> {
    return this.#within(options, async (over) => {
      const open = ({ client }: Call) => client.readStream(serverStream, { ...fresh, maxCount: 1 });
      const [first] = await this.#reads.read(over, open, ({ event }) => event);
      return first;
    });
  }

  /**
   * Resolves once the event of a stream, by the server's name for it, can be read, which is when it is committed; or when
   * that is not going to happen: the server itself gives a write up after two seconds.
   */
  async untilReadable(serverStream: string, version: number, over: AbortSignal): Promise<void> {
    if (version < 1) return;
    const limit = AbortSignal.any([over, AbortSignal.timeout(longestCommitMs)]);
    const fromRevision = revisionOf(version);
    const open = ({ client }: Call) =>
      client.readStream(serverStream, { ...fresh, fromRevision, maxCount: 1 });
    for (let pauseMs = firstPauseMs; !limit.aborted; pauseMs = Math.min(2 * pauseMs, lastPauseMs)) {
      // A read that fails changes nothing about what the caller has to say.
      const found = await this.#reads.read(limit, open, () => true).catch(() => [true]);
      if (found.length > 0) return;
      await delay(pauseMs, undefined, { signal: limit }).catch(() => undefined);
    }
  }

  #findHead(over: AbortSignal): Promise<Position | 'start'> {
    return this.#head.find(async (fromPosition, maxCount) => {
      const open = ({ client }: Call) =>
        client.readAll({ ...fresh, direction: BACKWARDS, fromPosition, maxCount });
      return (await this.#reads.read(over, open, placeOf)).flatMap((place) => place ?? []);
    });
  }

  /**
   * Everything in the log from a position on up to our newest event, whosever it is, each page beginning with the last
   * event of the one before. What others wrote behind our newest event is passed over once, by {@link LogHead}.
   */
  async *#pages(
    first: ReadPosition,
    firstSize: number,
    over: AbortSignal,
  ): AsyncGenerator<Passed[]> {
    let from = first;
    let head: Position | 'start' | undefined;
    for (let maxCount = Math.min(firstSize, mostAtOnce); ;) {
      const options: ReadAllOptions = {
        ...{ ...fresh, direction: FORWARDS, fromPosition: from, maxCount },
      };
      const page = await this.#reads.read(
        over,
        ({ client }) => client.readAll(options),
        ({ event }) => ({ at: event?.position, ours: event && fromStoredForm(event, this.names) }),
      );
      yield page;
      const last = page.at(-1)?.at;
      if (page.length < maxCount || !last) return;
      head ??= await this.#findHead(over);
      if (comparePositions(asPosition(last), head) >= 0) return;
      from = last;
      maxCount = Math.min(maxCount * 2, mostAtOnce);
    }
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
    return this.#readOurs(over, ({ client }) =>
      client.readStream(this.names.toServer(stream), {
        ...{ ...fresh, fromRevision, maxCount, direction },
      }),
    );
  }

  async #readOurs(over: AbortSignal, open: Parameters<Reads['read']>[1]): Promise<StoredEvent[]> {
    const found = await this.#reads.read(
      over,
      open,
      ({ event }) => event && fromStoredForm(event, this.names),
    );
    return found.flatMap((event) => event ?? []);
  }

  #within<T>(
    options: CallOptions | undefined,
    work: (over: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return within(options, () => new StoreUnavailableError('KurrentDB does not answer'), work);
  }
}

function placeOf({ event }: ResolvedEvent): Place | undefined {
  return event?.position && { stream: event.streamId, position: event.position };
}

function revisionOf(version: number): bigint {
  return BigInt(version) - 1n;
}
