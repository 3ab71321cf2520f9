import { setImmediate, setTimeout as wait } from 'node:timers/promises';

import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';

import { type EventStore, type Position, type StoredEvent } from '#event-sourcing';

import { EVENT_STORE } from '../tokens.js';

/** Must not throw. An event may be passed to it more than once. */
type ChangeListener = (event: StoredEvent) => void;

const retryMs = 500;
/** UTF-16 code units of payloads that are passed on in one go: a listener may decode them. */
const maxAtOnce = 65_536;

/** One subscription to the feed for everybody in the process who waits for a context to change. */
@Injectable()
export class ContextChanges implements OnModuleDestroy {
  readonly #listeners = new Set<ChangeListener>();
  readonly #stop = new AbortController();
  #following: Promise<void> | undefined;

  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** True once the server drains: callers then answer with what there is. */
  get stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Calls `listener` once the server drains. */
  onStop(listener: () => void): void {
    this.#stop.signal.addEventListener('abort', listener, { once: true });
  }

  /** Resolves once every event stored from now on, in any workspace, will be passed to the listener. */
  async listen(listener: ChangeListener): Promise<void> {
    this.#listeners.add(listener);
    await this.#start();
  }

  /** Called when the server starts to drain. */
  stop(): void {
    this.#stop.abort();
  }

  onModuleDestroy(): void {
    this.stop();
  }

  /** The first caller waits until the head of the feed is known, behind which changes are reported; so do all others. */
  #start(): Promise<void> {
    this.#following ??= this.store.head().then(
      (head) => void this.#follow(head),
      (error: unknown) => {
        this.#following = undefined;
        throw error;
      },
    );
    return this.#following;
  }

  /** Never rejects: after a failure it goes on from where it was. */
  async #follow(head: Position | 'start'): Promise<void> {
    const { signal } = this.#stop;
    const place = { after: head };
    while (!signal.aborted)
      try {
        await this.#report(place, signal);
      } catch {
        // The store reports its own failures. Meanwhile requests wait until their time is over, then read once more.
      } finally {
        // Also behind a subscription that a closed store has ended without a failure.
        if (!signal.aborted) await wait(retryMs);
      }
  }

  async #report(place: { after: Position | 'start' }, signal: AbortSignal): Promise<void> {
    const subscription = this.store.subscribeAll({ after: place.after, batchSize: 500, signal });
    for await (const batch of subscription) {
      let reported = 0;
      for (const event of batch) {
        for (const listener of this.#listeners) listener(event);
        reported += event.data.length;
        if (reported < maxAtOnce) continue;
        reported = 0;
        await setImmediate();
      }
      place.after = batch.at(-1)?.position ?? place.after;
    }
  }
}
