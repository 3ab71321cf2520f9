import {
  type AppendResult,
  type CounterValue,
  type EventToAppend,
  type ExpectedVersion,
  OutcomeUnknownError,
  StoreUnavailableError,
} from '#event-sourcing';

/** An append between call and answer. */
export class PendingAppend {
  readonly answer: Promise<AppendResult>;
  /** By `encodedSize`. */
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

  /** Answered, or given up by its caller. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Sending it twice stores it once: the version it names can be taken only by these ids. */
  get repeatable(): boolean {
    return this.expected !== 'any' && this.expected !== 'stream-exists';
  }

  sent(): void {
    this.#sent = true;
  }

  /** The try is known to have stored nothing. */
  notApplied(): void {
    this.#sent = false;
  }

  /** The try may have stored it; a later answer says so, and only a repeatable append may be tried again for it. */
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

  /** What to tell a caller who waits no longer, or for whom nothing more can be done. */
  giveUp(cause?: unknown, otherwise?: Error): Error {
    if (this.#sent || this.#doubtful)
      return new OutcomeUnknownError(`the append to "${this.stream}" got no answer`, { cause });
    return otherwise ?? new StoreUnavailableError('PostgreSQL does not take appends', { cause });
  }
}
