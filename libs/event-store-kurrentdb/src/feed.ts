import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type ReadPosition,
  streamNameFilter,
} from '@eventstore/db-client';

import { settled } from '#event-store-adapter';
import { type Position, type StoredEvent, encodedSize, maxReadBytes } from '#event-sourcing';

import { type Client } from './client.js';
import { searchWindow } from './filtered-read.js';
import { type Namespace } from './namespace.js';
import { asPosition } from './position.js';
import { fromStoredForm } from './stored-form.js';

/** Maximum number of events that the client buffers; the server waits in the meantime. */
const bufferedEvents = 64;
/** During a catch-up, the next events arrive within one or two turns of the event loop. */
const lingerTurns = 2;
/** Servers 24.2 to 24.10.4 may send the highest possible number when they go live (KurrentDB pull request 4893). */
const noPosition = 2n ** 63n;

/** Node declares that `read` of a stream returns `any`. */
type Subscription = Readonly<{ read: () => AllStreamResolvedEvent | null }> & AllStreamSubscription;

/** One subscription to the streams of the namespace, until the server ends it. */
export class Feed {
  readonly #subscription: Subscription;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;
  #passed: Position | undefined;

  constructor(
    client: Client,
    private readonly names: Namespace,
    fromPosition: ReadPosition,
  ) {
    const filter = streamNameFilter({
      prefixes: [names.prefix],
      maxSearchWindow: searchWindow,
      checkpointInterval: 1,
      checkpointReached: async (subscription, { commit, prepare }) => {
        // Only after all events before it were taken.
        if (commit < noPosition && subscription.readableLength === 0)
          this.#passed = asPosition({ commit, prepare });
      },
    });
    this.#subscription = client.subscribeToAll(
      { fromPosition, filter, requiresLeader: true },
      { highWaterMark: bufferedEvents },
    );
    // The listeners remain: an error after the end of the feed must not end the process.
    this.#subscription.on('error', (error) => this.#fail(error));
    this.#subscription.on('end', () => this.#fail(new Error('the server ended the subscription')));
    this.#subscription.on('readable', () => this.#wake());
  }

  /**
   * No event of the namespace remains up to this position, which may be after the last event taken; a later
   * subscription can start here.
   */
  get passed(): Position | undefined {
    return this.#passed;
  }

  /** At most `limit` next events; none if none arrived for `waitMs`. Throws the error that ended the subscription. */
  async take(limit: number, waitMs: number, signal: AbortSignal): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    let bytes = 0;
    for (let idle = 0; events.length < limit && bytes < maxReadBytes && !signal.aborted;) {
      const event = this.#next();
      if (event) {
        events.push(event);
        bytes += encodedSize(event);
        idle = 0;
      } else if (events.length > 0) {
        if (idle++ === lingerTurns) break;
        await nextTurn();
      } else if (!(await this.arrival(waitMs, signal))) break;
    }
    return events;
  }

  close(): void {
    // It fails if the call never began, and then there is nothing to cancel.
    void settled(this.#subscription.unsubscribe());
    this.#subscription.destroy();
  }

  #next(): StoredEvent | undefined {
    for (;;) {
      const resolved = this.#subscription.read();
      if (!resolved) return undefined;
      const event = resolved.event && fromStoredForm(resolved.event, this.names);
      if (event) {
        this.#passed = undefined;
        return event;
      }
    }
  }

  /** Whether an event arrived within `waitMs`. Throws the error that ended the subscription. */
  async arrival(waitMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#failure) throw this.#failure;
    const arrived = Promise.withResolvers<boolean>();
    const leave = (): void => arrived.resolve(false);
    const timer = setTimeout(leave, waitMs);
    this.#wake = () => arrived.resolve(true);
    signal.addEventListener('abort', leave, { once: true });
    // It may have arrived before the listener was set.
    if (this.#subscription.readableLength > 0) this.#wake();
    try {
      return await arrived.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }
}
