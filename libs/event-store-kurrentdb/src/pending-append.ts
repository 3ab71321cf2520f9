import {
  type EventToAppend,
  type ExpectedVersion,
  OutcomeUnknownError,
  StoreUnavailableError,
  type VersionConflictError,
} from '#event-sourcing';

import { type FailureKind, describeFailure } from './call-failure.js';

/** An append between call and answer, and whether any of its tries may have been stored. */
export class PendingAppend {
  #underWay = false;
  #doubtful = false;
  #cause: unknown;
  #conflict: VersionConflictError | undefined;

  constructor(
    readonly stream: string,
    readonly events: readonly EventToAppend[],
    readonly expected: ExpectedVersion,
  ) {}

  /** Sending it twice stores it once: the version it names can be taken only by these ids. */
  get repeatable(): boolean {
    return this.expected !== 'any' && this.expected !== 'stream-exists';
  }

  /** One of its tries had no answer, or one that does not tell whether it was stored. */
  get isDoubtful(): boolean {
    return this.#doubtful;
  }

  sent(): void {
    this.#underWay = true;
  }

  failed(kind: FailureKind, cause: unknown): void {
    this.#underWay = false;
    this.#doubtful ||= kind === 'unknown';
    this.#cause = cause;
  }

  /** The server has refused it for good: somebody else has taken the version. */
  lost(conflict: VersionConflictError): void {
    this.#conflict = conflict;
  }

  /** The error for a caller who waits no longer, or if nothing more can be done; `unreached` goes with the reason. */
  giveUp(unreached = ''): Error {
    if (this.#conflict) return this.#conflict;
    const { stream } = this;
    const options = { cause: this.#cause };
    const described = this.#cause === undefined ? '' : `: ${describeFailure(this.#cause)}`;
    const reason = described + unreached;
    return this.#underWay || this.#doubtful
      ? new OutcomeUnknownError(`the append to "${stream}" got no answer${reason}`, options)
      : new StoreUnavailableError(`KurrentDB does not take appends${reason}`, options);
  }
}
