import { setTimeout as wait } from 'node:timers/promises';

import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';

import { type EventStore, type Position } from '#event-sourcing';
import { type ContextId, contextStream } from '#read-models';

import { EVENT_STORE } from '../tokens.js';

/** Tells when a context may have changed. Open it before reading, so that no change falls between. */
export type ContextWatch = Readonly<{
  /** Resolves at a change since the last call, after `ms`, or when the server stops; throws the signal's reason. */
  next: (ms: number, signal?: AbortSignal) => Promise<void>;
  close: () => void;
}>;

type Watcher = { changed: boolean; wake: () => void };

const retryMs = 500;
/** No stream has an empty name: its watchers are woken by every change. */
const anyStream = '';

/** One subscription to the feed for everybody in the process who waits for a context to change. */
@Injectable()
export class ContextChanges implements OnModuleDestroy {
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #stop = new AbortController();
  #following: Promise<void> | undefined;

  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** True once the server drains: waits end early, and callers answer with what there is. */
  get stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  watch(id: ContextId): Promise<ContextWatch> {
    return this.#watch(contextStream(id));
  }

  /** Tells of a change of any context, in any workspace. */
  watchAll(): Promise<ContextWatch> {
    return this.#watch(anyStream);
  }

  /** Ends every wait; called when the server starts to drain. */
  stop(): void {
    this.#stop.abort();
  }

  onModuleDestroy(): void {
    this.stop();
  }

  async #watch(stream: string): Promise<ContextWatch> {
    await this.#start();
    const watcher: Watcher = { changed: false, wake: () => undefined };
    const watchers = this.#watchers.get(stream) ?? new Set();
    this.#watchers.set(stream, watchers.add(watcher));
    return {
      next: (ms, signal) => this.#next(watcher, ms, signal),
      close: () => {
        watchers.delete(watcher);
        if (watchers.size === 0 && this.#watchers.get(stream) === watchers)
          this.#watchers.delete(stream);
      },
    };
  }

  /** The first caller waits for the place in the feed from which changes are told; so do all others. */
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
        await this.#tell(place, signal);
      } catch {
        // The store tells its own failures; waiting ends by time-out meanwhile, which is right, only slower.
      } finally {
        // Also behind a subscription that a closed store has ended without a failure.
        if (!signal.aborted) await wait(retryMs);
      }
  }

  async #tell(place: { after: Position | 'start' }, signal: AbortSignal): Promise<void> {
    const subscription = this.store.subscribeAll({ after: place.after, batchSize: 500, signal });
    for await (const batch of subscription) {
      for (const { stream } of batch) this.#wake(stream);
      this.#wake(anyStream);
      place.after = batch.at(-1)?.position ?? place.after;
    }
  }

  #wake(stream: string): void {
    for (const watcher of this.#watchers.get(stream) ?? []) {
      watcher.changed = true;
      watcher.wake();
    }
  }

  async #next(watcher: Watcher, ms: number, signal?: AbortSignal): Promise<void> {
    if (!watcher.changed) {
      const ends = AbortSignal.any([
        this.#stop.signal,
        AbortSignal.timeout(ms),
        ...(signal ? [signal] : []),
      ]);
      await new Promise<void>((resolve) => {
        watcher.wake = resolve;
        ends.addEventListener('abort', () => resolve(), { once: true });
        if (ends.aborted) resolve();
      });
      signal?.throwIfAborted();
    }
    watcher.changed = false;
  }
}
