import { pause } from './pause.js';

/**
 * Does some of the pending work. Resolves to the milliseconds until the next pass, or to undefined if no work is left.
 */
type Pass = () => Promise<number | undefined>;

type PollingOptions = Readonly<{
  /** Milliseconds until the next pass if no work is left; `wake` ends this wait. */
  idleMs: number;
  /** Milliseconds until the next pass after a failure: doubled with each consecutive failure, up to `longest`. */
  retryMs: Readonly<{ first: number; longest: number }>;
  /** Omit to ignore failures. */
  failed?: ((error: unknown, retryInMs: number) => void) | undefined;
  /** Whether the process may exit while the worker waits. False by default. */
  allowsExit?: boolean;
}>;

/**
 * Repeats passes in the background, one at a time, until it is stopped. A pass that throws does not stop the worker: the
 * failure is reported and the pass is repeated.
 */
export class PollingWorker {
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #running: Promise<void> | undefined;

  constructor(
    private readonly pass: Pass,
    private readonly options: PollingOptions,
  ) {}

  /** Aborts when the worker is stopped, so that a pass can end early. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends the idle wait, or skips the next one if a pass is running. Does not end other waits. */
  wake(): void {
    this.#wake.abort();
  }

  /** Starts no further pass. Resolves when the current pass has ended; an error that it throws is not reported. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { retryMs, failed } = this.options;
    let retryInMs = retryMs.first;
    while (!this.stopping.aborted)
      try {
        const waitMs = await this.pass();
        retryInMs = retryMs.first;
        await (waitMs === undefined ? this.#idle() : this.#pause(waitMs));
      } catch (error) {
        if (this.stopping.aborted) return;
        failed?.(error, retryInMs);
        await this.#pause(retryInMs);
        retryInMs = Math.min(retryInMs * 2, retryMs.longest);
      }
  }

  async #idle(): Promise<void> {
    const { idleMs } = this.options;
    await this.#pause(idleMs, AbortSignal.any([this.stopping, this.#wake.signal]));
    this.#wake = new AbortController();
  }

  #pause(ms: number, signal = this.stopping): Promise<void> {
    return pause(ms, signal, !this.options.allowsExit);
  }
}
