import { Injectable } from '@nestjs/common';

import { ContextChanges } from '../long-polls/context-changes.js';
import { type FirstRead } from '../long-polls/first-read.js';
import { LongPolls } from '../long-polls/long-polls.js';
import { type Question, sourceNameOf } from '../long-polls/question.js';
import { NewestEvents } from './newest-events.js';
import { type OpenStream } from './open-stream.js';

type NextOptions<Found> = Pick<FirstRead<Found>, 'own' | 'isOwn'> &
  Readonly<{ isCurrent: () => boolean }>;

/** Lets streams wait as long polls without a deadline, which share reads and end with their keys. */
@Injectable()
export class StreamWaits {
  constructor(
    private readonly polls: LongPolls,
    private readonly changes: ContextChanges,
    private readonly newest: NewestEvents,
  ) {}

  /** True once the server drains: a stream then ends after the events that it has read. */
  get stopping(): boolean {
    return this.changes.stopping;
  }

  /** Call it before the first read, and call `leave` when the stream ends: see {@link NewestEvents}. */
  follow(of: Question<unknown>['of']): ReturnType<NewestEvents['follow']> {
    return this.newest.follow(sourceNameOf({ of }));
  }

  /**
   * Waits for an answer to the question. `own`: a read for this stream alone. `isCurrent`: whether no event is stored after the
   * last one that the stream has read; it then waits without another read.
   */
  next<Found>(
    { principal, signal }: OpenStream,
    question: Question<Found>,
    options: NextOptions<Found>,
  ): Promise<Found> {
    return this.polls.poll(
      { principal, seconds: Number.POSITIVE_INFINITY, signal, isStream: true },
      question,
      // The first read of the stream has checked that the key reaches the context; its limits never change.
      { ...options, mayShare: true },
    );
  }
}
