/** How a request ends that waits: with what was found, or with an error. */
export type Outcome = Readonly<{ found: unknown }> | Readonly<{ error: unknown }>;

/** Whose request waits, until when on the clock of `performance.now()`, and the signal of its client. */
type Waiting = Readonly<{
  /** Null for the root key and for callers in the process, which cannot be revoked. */
  keyId: string | null;
  /** Names whoever shares a limit of waiting requests. */
  holder: string;
  /** Infinite for an open stream. */
  deadline: number;
  signal: AbortSignal | undefined;
  /** False for an open stream, which takes a place among the streams. */
  takesPlace?: boolean;
}>;

/** A request that waits for its answer. The first outcome counts. */
export class WaitingRequest {
  readonly keyId: string | null;
  readonly holder: string;
  readonly deadline: number;
  readonly takesPlace: boolean;
  readonly #signal: AbortSignal | undefined;
  #outcome: Outcome | undefined;
  #wake: (() => void) | undefined;

  constructor({ keyId, holder, deadline, signal, takesPlace = true }: Waiting) {
    this.keyId = keyId;
    this.holder = holder;
    this.deadline = deadline;
    this.takesPlace = takesPlace;
    this.#signal = signal;
    signal?.addEventListener('abort', this);
    if (signal?.aborted) this.handleEvent();
  }

  get hasOutcome(): boolean {
    return this.#outcome !== undefined;
  }

  /** Fixes the outcome, without waking anybody yet. */
  decide(outcome: Outcome): void {
    this.#outcome ??= outcome;
  }

  /** Ends the wait with this outcome, or with the one that was decided before. */
  settle(outcome: Outcome): void {
    this.decide(outcome);
    this.#wake?.();
  }

  /** What the request was settled with; throws its error. */
  async outcome(): Promise<unknown> {
    if (!this.#outcome) await new Promise<void>((resolve) => (this.#wake = resolve));
    if (!this.#outcome) throw new Error('a waiting request was woken without an outcome');
    if ('error' in this.#outcome) throw this.#outcome.error;
    return this.#outcome.found;
  }

  /** The client has gone. An object that listens takes less memory than a function for each request. */
  handleEvent(): void {
    this.settle({ error: this.#signal?.reason });
  }

  /** Nobody waits any more. */
  close(): void {
    this.#signal?.removeEventListener('abort', this);
  }
}
