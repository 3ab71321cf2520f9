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

/** Reads change nothing, so any failure that may pass is tried again until nobody waits for them any more. */
export class Reads {
  constructor(
    private readonly connection: Connection,
    /** Of the first try, in milliseconds. Each try that ends without an answer gives the next one twice as long. */
    private readonly answerLimitMs: number,
  ) {}

  /**
   * What `keep` makes of each event: what it leaves out, of whatever size, is gone at once. No stream reads as empty. A
   * `keeping` that counts is given as a function, which makes a new one for each try.
   */
  async read<T>(
    over: AbortSignal,
    open: OpenRead,
    keeping: Keeping<T> | (() => Keeping<T>),
  ): Promise<T[]> {
    const found = await this.ask(over, async (call) => {
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
  async ask<T>(over: AbortSignal, call: (call: Call) => Promise<T>): Promise<T> {
    let limitMs = this.answerLimitMs;
    for (let attempt = 0; !over.aborted; attempt++) {
      try {
        return await answerWithin(this.connection, limitMs, (asked) =>
          call({ ...asked, left: AbortSignal.any([asked.left, over]) }),
        );
      } catch (error) {
        throwWhereFinal(error);
        // A large event over a slow network takes its time: the same limit would end each try at the same point.
        if (isWithoutAnswer(error)) limitMs *= 2;
      }
      await backOff(attempt, over);
    }
    throw new StoreUnavailableError('KurrentDB has not answered in time');
  }
}

function throwWhereFinal(error: unknown): void {
  if (isInvalidPosition(error)) throw new RangeError(noSuchPosition, { cause: error });
  if (error instanceof UnusableEventError) throw error;
  if (failureKindOf(error) === 'refused')
    throw new StoreUnavailableError(describeFailure(error), { cause: error });
}
