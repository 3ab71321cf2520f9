import { type ResolvedEvent, type StreamingRead } from '@eventstore/db-client';

import { backOff } from '#event-store-adapter';
import { StoreUnavailableError } from '#event-sourcing';

import { type Call, answerWithin } from './answer-within.js';
import {
  StreamNotFoundError,
  describeFailure,
  failureKindOf,
  isInvalidPosition,
  noSuchPosition,
} from './call-failure.js';
import { type Connection } from './connection.js';
import { readEvents } from './read-events.js';
import { UnusableEventError } from './stored-form.js';

type OpenRead = (call: Call) => StreamingRead<ResolvedEvent>;

/** Reads change nothing, so any failure that may pass is tried again until nobody waits for them any more. */
export class Reads {
  constructor(
    private readonly connection: Connection,
    private readonly answerLimitMs: number,
  ) {}

  /** What `keep` makes of each event: what it leaves out, of whatever size, is gone at once. No stream reads as empty. */
  async read<T>(
    over: AbortSignal,
    open: OpenRead,
    keep: (event: ResolvedEvent) => T,
  ): Promise<T[]> {
    for (let attempt = 0; !over.aborted; attempt++) {
      try {
        return await answerWithin(this.connection, this.answerLimitMs, (call) => {
          const left = AbortSignal.any([call.left, over]);
          return readEvents(open(call), { ...call, left }, keep);
        });
      } catch (error) {
        if (error instanceof StreamNotFoundError) return [];
        throwWhereFinal(error);
      }
      await backOff(attempt, over);
    }
    throw new StoreUnavailableError('nobody waits for the answer of KurrentDB any more');
  }
}

function throwWhereFinal(error: unknown): void {
  if (isInvalidPosition(error)) throw new RangeError(noSuchPosition, { cause: error });
  if (error instanceof UnusableEventError) throw error;
  if (failureKindOf(error) === 'refused')
    throw new StoreUnavailableError(describeFailure(error), { cause: error });
}
