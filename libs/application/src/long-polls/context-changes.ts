import { setImmediate, setTimeout as wait } from 'node:timers/promises';

import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';

import { type EventStore, type Position, type StoredEvent } from '#event-sourcing';

import { EVENT_STORE } from '../tokens.js';

/** Must not throw. An event may be passed to it more than once. */
type ChangeListener = (event: StoredEvent) => void;

const retryMs = 500;
/** UTF-16 code units of payloads per turn of the event loop: listeners may decode the payloads. */
const maxAtOnce = 65_536;

/** One subscription to the log of all streams, shared by all waiting requests and live streams of this process. */
@Injectable()
export class ContextChanges implements OnModuleDestroy {
  readonly #listeners = new Set<ChangeListener>();
  readonly #stop = new AbortController();
  #following: Promise<void> | undefined;

  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** True once the server drains: waiting requests are then answered without further waiting. */
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

  /** Starts the subscription once. All callers wait until the head of the log is known, after which events are reported. */
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

  /** Never rejects: after a failure it continues after the last reported event. */
  async #follow(head: Position | 'start'): Promise<void> {
    const { signal } = this.#stop;
    const progress = { after: head };
    while (!signal.aborted)
      try {
        await this.#report(progress, signal);
      } catch {
        // The store reports its own failures. Meanwhile requests wait until their deadline, then read once more.
      } finally {
        // Also after a subscription that ended without a failure because the store was closed.
        if (!signal.aborted) await wait(retryMs);
      }
  }

  async #report(progress: { after: Position | 'start' }, signal: AbortSignal): Promise<void> {
    const { after } = progress;
    const subscription = this.store.subscribeAll({ after, batchSize: 500, signal });
    for await (const batch of subscription) {
      let reported = 0;
      for (const event of batch) {
        for (const listener of this.#listeners) listener(event);
        reported += event.data.length;
        if (reported < maxAtOnce) continue;
        reported = 0;
        await setImmediate();
      }
      progress.after = batch.at(-1)?.position ?? progress.after;
    }
  }
}
