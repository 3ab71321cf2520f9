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

/** Events the client may hold for us, at most; the server waits meanwhile. */
const bufferedEvents = 64;
/** While history flows, the next events arrive within a turn or two of the event loop. */
const lingerTurns = 2;
/** Servers 24.2 to 24.10.4 may send the highest number there is when they go live (KurrentDB pull request 4893). */
const noPosition = 2n ** 63n;

/** Node declares that a stream reads `any`. */
type Subscription = Readonly<{ read: () => AllStreamResolvedEvent | null }> & AllStreamSubscription;

/** One subscription to our streams, as long as the server keeps it. */
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
        // Only once everything before it has been taken.
        if (commit < noPosition && subscription.readableLength === 0)
          this.#passed = asPosition({ commit, prepare });
      },
    });
    this.#subscription = client.subscribeToAll(
      { fromPosition, filter, requiresLeader: true },
      { highWaterMark: bufferedEvents },
    );
    // The listeners stay: what fails after we left must not end the process.
    this.#subscription.on('error', (error) => this.#fail(error));
    this.#subscription.on('end', () => this.#fail(new Error('the server ended the subscription')));
    this.#subscription.on('readable', () => this.#wake());
  }

  /** Up to here nothing is left for us, though the last event taken may lie before; for a subscription after this one. */
  get passed(): Position | undefined {
    return this.#passed;
  }

  /** The next events, at most so many; none where none came for `waitMs`. Throws what ended the subscription. */
  async take(most: number, waitMs: number, signal: AbortSignal): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    let bytes = 0;
    for (let idle = 0; events.length < most && bytes < maxReadBytes && !signal.aborted;) {
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
    // It fails if the call never began: then there is nothing to cancel.
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

  /** Whether something came within `waitMs`. Throws what ended the subscription. */
  async arrival(waitMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#failure) throw this.#failure;
    const arrived = Promise.withResolvers<boolean>();
    const leave = (): void => arrived.resolve(false);
    const timer = setTimeout(leave, waitMs);
    this.#wake = () => arrived.resolve(true);
    signal.addEventListener('abort', leave, { once: true });
    // It may have come before anybody listened.
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
