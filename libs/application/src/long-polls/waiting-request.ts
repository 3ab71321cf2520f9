/** The outcome of a waiting request: an answer or an error. */
export type Outcome = Readonly<{ found: unknown }> | Readonly<{ error: unknown }>;

/** `deadline`: on the clock of `performance.now()`. `signal`: that of the client. */
type WaitingRequestOptions = Readonly<{
  /** Null for the root key and for callers within the process: these cannot be revoked. */
  keyId: string | null;
  /** Requests with the same holder share one limit. */
  holder: string;
  /** Infinite for an open stream. */
  deadline: number;
  signal: AbortSignal | undefined;
  /** Whether the request counts towards the limits of waiting requests; false for an open stream. */
  isLimited?: boolean;
}>;

/** A request that waits for its outcome. The first outcome wins. */
export class WaitingRequest {
  readonly keyId: string | null;
  readonly holder: string;
  readonly deadline: number;
  readonly isLimited: boolean;
  readonly #signal: AbortSignal | undefined;
  #outcome: Outcome | undefined;
  #wake: (() => void) | undefined;

  constructor({ keyId, holder, deadline, signal, isLimited = true }: WaitingRequestOptions) {
    this.keyId = keyId;
    this.holder = holder;
    this.deadline = deadline;
    this.isLimited = isLimited;
    this.#signal = signal;
    signal?.addEventListener('abort', this);
    if (signal?.aborted) this.handleEvent();
  }

  get hasOutcome(): boolean {
    return this.#outcome !== undefined;
  }

  /** Sets the outcome, without resolving `outcome()` yet. */
  decide(outcome: Outcome): void {
    this.#outcome ??= outcome;
  }

  /** Ends the wait with this outcome, or with an outcome that was decided before. */
  settle(outcome: Outcome): void {
    this.decide(outcome);
    this.#wake?.();
  }

  /** Returns the answer with which the request was settled, or throws its error. */
  async outcome(): Promise<unknown> {
    if (!this.#outcome) await new Promise<void>((resolve) => (this.#wake = resolve));
    if (!this.#outcome) throw new Error('a waiting request was woken without an outcome');
    if ('error' in this.#outcome) throw this.#outcome.error;
    return this.#outcome.found;
  }

  /** Called when the client disconnects. A listener object takes less memory than a function per request. */
  handleEvent(): void {
    this.settle({ error: this.#signal?.reason });
  }

  /** Stops listening to the signal of the client. */
  close(): void {
    this.#signal?.removeEventListener('abort', this);
  }
}
