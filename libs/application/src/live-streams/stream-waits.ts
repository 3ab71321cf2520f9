import { Injectable } from '@nestjs/common';

import { ContextChanges } from '../long-polls/context-changes.js';
import { type FirstRead } from '../long-polls/first-read.js';
import { LongPolls } from '../long-polls/long-polls.js';
import { type Question, placeOf } from '../long-polls/question.js';
import { NewestEvents } from './newest-events.js';
import { type OpenStream } from './open-stream.js';

type Waited<Found> = Pick<FirstRead<Found>, 'own' | 'isOwn'> &
  Readonly<{ isCurrent: () => boolean }>;

/** How streams wait: as long polls without an end, which share their reads and are told of the end of their keys. */
@Injectable()
export class StreamWaits {
  constructor(
    private readonly polls: LongPolls,
    private readonly changes: ContextChanges,
    private readonly newest: NewestEvents,
  ) {}

  /** True once the server drains: a stream then ends with what it has read. */
  get stopping(): boolean {
    return this.changes.stopping;
  }

  /** To be called before the first read, and left when the stream ends: see {@link NewestEvents}. */
  follow(of: Question<unknown>['of']): ReturnType<NewestEvents['follow']> {
    return this.newest.follow(placeOf({ of }));
  }

  /**
   * Waits for an answer to the question. `own`: a read for this stream alone. `isCurrent`: whether nothing has been stored behind
   * what the stream has read; the stream then waits without another read.
   */
  next<Found>(
    { principal, signal }: OpenStream,
    question: Question<Found>,
    waited: Waited<Found>,
  ): Promise<Found> {
    return this.polls.poll(
      { principal, seconds: Number.POSITIVE_INFINITY, signal, isStream: true },
      question,
      // What is followed was found in reach by the first read, and stays so.
      { ...waited, mayShare: true },
    );
  }
}
