type Facts = Readonly<{
  /** The class of the failure, by which a step may exclude it from retries. */
  code?: string | undefined;
  retryable?: boolean | undefined;
  /** The least time until the next attempt. */
  retryAfterMs?: number | undefined;
  /** What there is in spite of the failure, any JSON. */
  output?: unknown;
  cause?: unknown;
}>;

/** Thrown by a handler, it says how its attempt has failed. Any other error is a failure with its message as the reason. */
export class WorkFailure extends Error {
  override readonly name = 'WorkFailure';
  readonly #facts: Omit<Facts, 'cause'>;

  constructor(reason: string, { cause, ...facts }: Facts = {}) {
    super(reason, cause === undefined ? undefined : { cause });
    this.#facts = facts;
  }

  get code(): string | undefined {
    return this.#facts.code;
  }

  /** As the server is told. */
  report(): Readonly<Record<string, unknown>> {
    return { reason: this.message, ...this.#facts };
  }
}
