import { ANY, type AppendExpectedRevision, NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client';

import { backOff, settled, within } from '#event-store-adapter';
import {
  type AppendResult,
  type CallOptions,
  type ExpectedVersion,
  AppendTooLargeError,
  StoreUnavailableError,
  VersionConflictError,
  encodedSize,
} from '#event-sourcing';

import { answerWithin } from './answer-within.js';
import { AppendOrder } from './append-order.js';
import {
  MaxAppendSizeExceededError,
  WrongExpectedVersionError,
  describeFailure,
  failureKindOf,
  isEventTooLarge,
  isWithoutAnswer,
} from './call-failure.js';
import { type Connection } from './connection.js';
import { type PendingAppend } from './pending-append.js';
import { asPosition } from './position.js';
import { toStoredForm } from './stored-form.js';

/**
 * Sends each append in a separate call and retries it with the same ids and exact version until its deadline: by the
 * ids at that version, the server recognizes stored appends, even after a restart. The server reports a conflict before
 * the winning event is readable; the caller receives the conflict when that event can be read.
 */
export class Appender {
  readonly #order = new AppendOrder();

  constructor(
    private readonly connection: Connection,
    /** The limit of the first attempt, in milliseconds. Each attempt without an answer doubles it. */
    private readonly answerLimitMs: number,
    /** Resolves when an event of a stream is readable, or after a limit. */
    private readonly untilReadable: (
      target: string,
      version: number,
      over: AbortSignal,
    ) => Promise<void>,
  ) {}

  /** `target` is the server's name for the stream. */
  append(target: string, append: PendingAppend, options?: CallOptions): Promise<AppendResult> {
    return within(
      options,
      () => append.giveUp(this.connection.unreached),
      (over) => this.#order.inTurn(target, () => this.#tryUntil(target, append, over)),
    );
  }

  drained(): Promise<void> {
    return this.#order.drained();
  }

  async #tryUntil(target: string, append: PendingAppend, over: AbortSignal): Promise<AppendResult> {
    let limitMs = this.answerLimitMs;
    for (let attempt = 0; !over.aborted; attempt++) {
      try {
        return await this.#tryOnce(target, append, limitMs);
      } catch (error) {
        // A large append over a slow network takes long: a constant limit would end each attempt at the same point.
        if (isWithoutAnswer(error)) limitMs *= 2;
        if (error instanceof WrongExpectedVersionError)
          throw await this.#lost(target, append, { error, over });
        append.failed(failureKindOf(error), error);
        const last = lastErrorOf(append, error);
        if (last) throw last;
      }
      await backOff(attempt, over);
    }
    throw append.giveUp();
  }

  /** The conflict is certain before the winning event is readable, and regardless of the result of that wait. */
  async #lost(
    target: string,
    append: PendingAppend,
    { error, over }: Readonly<{ error: WrongExpectedVersionError; over: AbortSignal }>,
  ): Promise<VersionConflictError> {
    const { stream, expected } = append;
    const conflict = new VersionConflictError(stream, expected, actualVersion(error));
    append.lost(conflict);
    await settled(this.untilReadable(target, conflict.actual, over));
    return conflict;
  }

  async #tryOnce(target: string, append: PendingAppend, limitMs: number): Promise<AppendResult> {
    const { connection } = this;
    const events = append.events.map(toStoredForm);
    append.sent();
    const { nextExpectedRevision, position } = await answerWithin(
      connection,
      limitMs,
      ({ client }) =>
        client.appendToStream(target, events, {
          expectedRevision: toRevision(append.expected),
          requiresLeader: true,
          deadline: limitMs,
        }),
    );
    if (!position)
      throw new StoreUnavailableError('KurrentDB returned no position for a stored append');
    return { version: Number(nextExpectedRevision) + 1, position: asPosition(position) };
  }
}

/** The error that ends the append; undefined if it is retried. */
function lastErrorOf(append: PendingAppend, error: unknown): Error | undefined {
  const kind = failureKindOf(error);
  const isOver = kind === 'refused' || (kind === 'unknown' && !append.repeatable);
  return refusalOf(append, error) ?? (isOver ? append.giveUp() : undefined);
}

/** The error if a retry would have the same result. */
function refusalOf(append: PendingAppend, error: unknown): Error | undefined {
  const bytes = append.events.reduce((sum, event) => sum + encodedSize(event), 0);
  if (error instanceof MaxAppendSizeExceededError)
    return new AppendTooLargeError(bytes, error.maxAppendSize);
  if (isEventTooLarge(error)) return new AppendTooLargeError(bytes);
  // A refusal of the last attempt does not settle earlier attempts.
  if (failureKindOf(error) === 'refused' && !append.isDoubtful)
    return new StoreUnavailableError(describeFailure(error), { cause: error });
  return undefined;
}

/** Newer servers report -1 and older ones `no_stream` if there is no stream. */
function actualVersion({ actualVersion: actual }: WrongExpectedVersionError): number {
  return typeof actual === 'bigint' ? Number(actual) + 1 : 0;
}

function toRevision(expected: ExpectedVersion): AppendExpectedRevision {
  if (expected === 'no-stream') return NO_STREAM;
  if (expected === 'stream-exists') return STREAM_EXISTS;
  if (expected === 'any') return ANY;
  return BigInt(expected) - 1n;
}
