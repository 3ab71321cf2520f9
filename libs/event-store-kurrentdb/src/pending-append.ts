import {
  type EventToAppend,
  type ExpectedVersion,
  OutcomeUnknownError,
  StoreUnavailableError,
  type VersionConflictError,
} from '#event-sourcing';

import { type FailureKind, describeFailure } from './call-failure.js';

/** An append from its call to its answer; records whether any attempt may have been stored. */
export class PendingAppend {
  #inFlight = false;
  #doubtful = false;
  #cause: unknown;
  #conflict: VersionConflictError | undefined;

  constructor(
    readonly stream: string,
    readonly events: readonly EventToAppend[],
    readonly expected: ExpectedVersion,
  ) {}

  /** Whether a repetition is stored once: only the same ids can take the exact version that it names. */
  get repeatable(): boolean {
    return this.expected !== 'any' && this.expected !== 'stream-exists';
  }

  /** Whether the answer to an attempt is missing, or does not show whether the append was stored. */
  get isDoubtful(): boolean {
    return this.#doubtful;
  }

  sent(): void {
    this.#inFlight = true;
  }

  failed(kind: FailureKind, cause: unknown): void {
    this.#inFlight = false;
    this.#doubtful ||= kind === 'unknown';
    this.#cause = cause;
  }

  /** Another append has taken the version, so that the server has rejected this one permanently. */
  lost(conflict: VersionConflictError): void {
    this.#conflict = conflict;
  }

  /**
   * The error for a caller that no longer waits, or whose append cannot succeed; `unreached` is appended to the reason.
   */
  giveUp(unreached = ''): Error {
    if (this.#conflict) return this.#conflict;
    const { stream } = this;
    const options = { cause: this.#cause };
    const described = this.#cause === undefined ? '' : `: ${describeFailure(this.#cause)}`;
    const reason = described + unreached;
    return this.#inFlight || this.#doubtful
      ? new OutcomeUnknownError(`the append to "${stream}" got no answer${reason}`, options)
      : new StoreUnavailableError(`KurrentDB does not take appends${reason}`, options);
  }
}
