import { type ResolvedEvent, type StreamingRead } from '@eventstore/db-client';

import { backOff } from '#event-store-adapter';
import { StoreUnavailableError } from '#event-sourcing';

import { type Call, answerWithin } from './answer-within.js';
import {
  StreamNotFoundError,
  describeFailure,
  failureKindOf,
  isInvalidPosition,
  isWithoutAnswer,
  noSuchPosition,
} from './call-failure.js';
import { type Connection } from './connection.js';
import { type Keeping, readEvents } from './read-events.js';
import { UnusableEventError } from './stored-form.js';

type OpenRead = (call: Call) => StreamingRead<ResolvedEvent>;

/** Reads change nothing, so that transient failures are retried until the caller no longer waits. */
export class Reads {
  constructor(
    private readonly connection: Connection,
    /** The limit of the first attempt, in milliseconds. Each attempt without an answer doubles it. */
    private readonly answerLimitMs: number,
  ) {}

  /**
   * The results of `keep` for each event; unselected events are discarded at once. A missing stream reads as empty. If
   * `keeping` has state, it must be given as a function that creates a new one for each attempt.
   */
  async read<T>(
    over: AbortSignal,
    open: OpenRead,
    keeping: Keeping<T> | (() => Keeping<T>),
  ): Promise<T[]> {
    const found = await this.call(over, async (call) => {
      try {
        return await readEvents(
          open(call),
          call,
          typeof keeping === 'function' ? keeping() : keeping,
        );
      } catch (error) {
        if (error instanceof StreamNotFoundError) return undefined;
        throw error;
      }
    });
    return found ?? [];
  }

  /** The answer of a call that changes nothing. */
  async call<T>(over: AbortSignal, work: (call: Call) => Promise<T>): Promise<T> {
    let limitMs = this.answerLimitMs;
    for (let attempt = 0; !over.aborted; attempt++) {
      try {
        return await answerWithin(this.connection, limitMs, (call) =>
          work({ ...call, left: AbortSignal.any([call.left, over]) }),
        );
      } catch (error) {
        throwIfPermanent(error);
        // A large event over a slow network takes long: a constant limit would end each attempt at the same point.
        if (isWithoutAnswer(error)) limitMs *= 2;
      }
      await backOff(attempt, over);
    }
    throw new StoreUnavailableError('KurrentDB has not answered in time');
  }
}

function throwIfPermanent(error: unknown): void {
  if (isInvalidPosition(error)) throw new RangeError(noSuchPosition, { cause: error });
  if (error instanceof UnusableEventError) throw error;
  if (failureKindOf(error) === 'refused')
    throw new StoreUnavailableError(describeFailure(error), { cause: error });
}
