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
 * Appends by calls of their own, each tried again with the same ids and the same exact version until its deadline:
 * the server knows by the ids at that version what it has stored already, restarts included. The server reports a conflict
 * before reads show the event that won; the caller learns of it once it can be read.
 */
export class Appender {
  readonly #order = new AppendOrder();

  constructor(
    private readonly connection: Connection,
    /** Of the first try, in milliseconds. Each try that ends without an answer gives the next one twice as long. */
    private readonly answerLimitMs: number,
    /** Resolves once an event of a stream can be read, or a limit has passed. */
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
        // A large append over a slow network takes its time: the same limit would end each try at the same point.
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

  /** The conflict is certain before the event that won can be read, and whatever comes of the wait for that. */
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
      throw new StoreUnavailableError('KurrentDB gave no position for what it has stored');
    return { version: Number(nextExpectedRevision) + 1, position: asPosition(position) };
  }
}

/** What ends the append; undefined if it is tried again. */
function lastErrorOf(append: PendingAppend, error: unknown): Error | undefined {
  const kind = failureKindOf(error);
  const isOver = kind === 'refused' || (kind === 'unknown' && !append.repeatable);
  return refusalOf(append, error) ?? (isOver ? append.giveUp() : undefined);
}

/** The answer that trying again would not change. */
function refusalOf(append: PendingAppend, error: unknown): Error | undefined {
  const bytes = append.events.reduce((sum, event) => sum + encodedSize(event), 0);
  if (error instanceof MaxAppendSizeExceededError)
    return new AppendTooLargeError(bytes, error.maxAppendSize);
  if (isEventTooLarge(error)) return new AppendTooLargeError(bytes);
  // A refusal of the last try says nothing of the tries before it.
  if (failureKindOf(error) === 'refused' && !append.isDoubtful)
    return new StoreUnavailableError(describeFailure(error), { cause: error });
  return undefined;
}

/** Newer servers say -1 where older ones say that there is no stream. */
function actualVersion({ actualVersion: actual }: WrongExpectedVersionError): number {
  return typeof actual === 'bigint' ? Number(actual) + 1 : 0;
}

function toRevision(expected: ExpectedVersion): AppendExpectedRevision {
  if (expected === 'no-stream') return NO_STREAM;
  if (expected === 'stream-exists') return STREAM_EXISTS;
  if (expected === 'any') return ANY;
  return BigInt(expected) - 1n;
}
