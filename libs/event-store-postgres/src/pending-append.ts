import {
  type AppendResult,
  type CounterValue,
  type EventToAppend,
  type ExpectedVersion,
  OutcomeUnknownError,
  StoreUnavailableError,
} from '#event-sourcing';

/** An append from its call to its answer. */
export class PendingAppend {
  readonly answer: Promise<AppendResult>;
  /** The size by `encodedSize`. */
  readonly bytes: number;
  readonly counter: CounterValue | undefined;
  #settle: PromiseWithResolvers<AppendResult>;
  #settled = false;
  #sent = false;
  #doubtful = false;

  constructor(
    readonly stream: string,
    readonly events: readonly EventToAppend[],
    readonly expected: ExpectedVersion,
    { bytes, counter }: Readonly<{ bytes: number; counter?: CounterValue | undefined }>,
  ) {
    this.bytes = bytes;
    this.counter = counter;
    this.#settle = Promise.withResolvers();
    this.answer = this.#settle.promise;
  }

  /** Whether it was answered, or abandoned by its caller. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Whether a repetition is stored once: only the same ids can take the exact version that it names. */
  get repeatable(): boolean {
    return this.expected !== 'any' && this.expected !== 'stream-exists';
  }

  sent(): void {
    this.#sent = true;
  }

  /** The attempt is known to have stored nothing. */
  notApplied(): void {
    this.#sent = false;
  }

  /** The attempt may have stored it. A later answer settles that, but only a repeatable append may be sent again. */
  inDoubt(cause: unknown): void {
    this.#sent = false;
    this.#doubtful = true;
    if (!this.repeatable) this.reject(this.giveUp(cause));
  }

  resolve(result: AppendResult): void {
    this.#settled = true;
    this.#settle.resolve(result);
  }

  reject(error: Error): void {
    this.#settled = true;
    this.#settle.reject(error);
  }

  abandon(): void {
    this.#settled = true;
  }

  /** The error for a caller that no longer waits, or whose append cannot succeed. */
  giveUp(cause?: unknown, otherwise?: Error): Error {
    if (this.#sent || this.#doubtful)
      return new OutcomeUnknownError(`the append to "${this.stream}" got no answer`, { cause });
    return otherwise ?? new StoreUnavailableError('PostgreSQL does not take appends', { cause });
  }
}
