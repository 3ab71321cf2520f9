import { setTimeout as wait } from 'node:timers/promises';

import { type AttemptTaker, type WorkArrivals } from './work-arrivals.js';
import { type WaitingAttempt } from './work-queue.js';

/** Rows are looked at again about so often: for attempts whose time comes later, or that another process let go. */
const pollMs = 1_000;

/** A worker that waits until an attempt for one of its agents is scheduled. */
export class AttemptWait {
  readonly #arrived: WaitingAttempt[] = [];
  readonly #end: number;
  #awake = Promise.withResolvers<void>();
  #isOver = false;
  readonly #taker: AttemptTaker = {
    take: (attempt) => {
      this.#arrived.push(attempt);
      this.#awake.resolve();
    },
    stop: () => this.#stop(),
  };

  /** `seconds`: how long at most. `signal`: the worker's connection. */
  constructor(
    private readonly arrivals: Pick<WorkArrivals, 'listen' | 'forget' | 'stopping'>,
    seconds: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#end = performance.now() + seconds * 1_000;
    this.#isOver = arrivals.stopping || signal?.aborted === true;
    signal?.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /** Whether nobody waits any more. */
  get isOver(): boolean {
    return this.#isOver || performance.now() >= this.#end;
  }

  /** Calls `claim` with attempts that arrive, and without one whenever rows are to be looked at, until it returns something. */
  async until<Claimed>(
    { workspace, agents }: Readonly<{ workspace: string; agents: readonly string[] }>,
    claim: (arrived: WaitingAttempt | undefined) => Promise<Claimed | undefined>,
  ): Promise<Claimed | undefined> {
    await this.arrivals.listen(workspace, agents, this.#taker);
    try {
      for (;;) {
        const claimed = await claim(this.#arrived.shift());
        if (claimed !== undefined || this.isOver) return claimed;
        await this.#pause();
        // Nobody would carry out what is started for a connection that is closed.
        if (this.signal?.aborted) return undefined;
      }
    } finally {
      this.arrivals.forget(workspace, agents, this.#taker);
    }
  }

  #stop(): void {
    this.#isOver = true;
    this.#awake.resolve();
  }

  /** Ends early if something has arrived, also before it began. */
  async #pause(): Promise<void> {
    if (this.#arrived.length > 0) return;
    const leftMs = this.#end - performance.now();
    const timer = new AbortController();
    const elapsed = wait(Math.min(leftMs, pollMs * (0.5 + Math.random())), undefined, {
      signal: timer.signal,
    }).catch(() => undefined);
    await Promise.race([elapsed, this.#awake.promise]);
    timer.abort();
    if (!this.#isOver) this.#awake = Promise.withResolvers<void>();
  }
}
