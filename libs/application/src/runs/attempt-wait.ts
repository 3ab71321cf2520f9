import { type AttemptTaker, type WaitingFilter } from './waiting-workers.js';
import { type WorkArrivals } from './work-arrivals.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** Lets a worker wait for an attempt of one of its agents. */
export class AttemptWait {
  readonly #arrived: WaitingAttempt[] = [];
  readonly #end: number;
  #awake = Promise.withResolvers<void>();
  #isOver: boolean;
  readonly #stop = () => {
    this.#isOver = true;
    this.#awake.resolve();
  };
  readonly #taker: AttemptTaker = {
    take: (attempt) => {
      this.#arrived.push(attempt);
      this.#awake.resolve();
    },
    stop: this.#stop,
  };

  /** `seconds`: the longest time to wait. `signal`: aborted when the connection of the worker closes. */
  constructor(
    private readonly arrivals: Pick<WorkArrivals, 'listen' | 'forget' | 'putBack' | 'stopping'>,
    private readonly seconds: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#end = performance.now() + seconds * 1_000;
    this.#isOver = arrivals.stopping || signal?.aborted === true;
  }

  /** Whether the wait has ended: by its time, because the connection was closed, or because the server drains. */
  get isOver(): boolean {
    return this.#isOver || performance.now() >= this.#end;
  }

  /**
   * Calls `claim` first without an attempt, to claim from the rows, then with each arriving attempt, until it returns a
   * result.
   */
  async until<Claimed>(
    filter: WaitingFilter,
    claim: (arrived: WaitingAttempt | undefined) => Promise<Claimed | undefined>,
  ): Promise<Claimed | undefined> {
    const timer = setTimeout(this.#stop, this.seconds * 1_000);
    this.signal?.addEventListener('abort', this.#stop);
    try {
      await this.arrivals.listen(filter, this.#taker);
      return await this.#claimed(filter, claim);
    } finally {
      clearTimeout(timer);
      this.signal?.removeEventListener('abort', this.#stop);
      this.arrivals.forget(filter, this.#taker);
      for (const attempt of this.#arrived) this.arrivals.putBack(filter.workspace, attempt);
    }
  }

  async #claimed<Claimed>(
    filter: WaitingFilter,
    claim: (arrived: WaitingAttempt | undefined) => Promise<Claimed | undefined>,
  ): Promise<Claimed | undefined> {
    for (;;) {
      const [arrived] = this.#arrived;
      const claimed = await claim(arrived);
      // Removed only after the claim has returned, so that other workers get the attempt if the claim throws.
      if (arrived) this.#arrived.shift();
      if (claimed !== undefined || this.isOver) return claimed;
      await this.arrivals.listen(filter, this.#taker);
      await this.#nextArrival();
      // An attempt that was started for a closed connection would reach no worker.
      if (this.signal?.aborted || this.#arrived.length === 0) return undefined;
    }
  }

  /** Resolves once an attempt has arrived or the wait has ended. */
  async #nextArrival(): Promise<void> {
    if (this.#arrived.length > 0 || this.#isOver) return;
    this.#awake = Promise.withResolvers();
    await this.#awake.promise;
  }
}
