import { type ResolvedEvent, type StreamingRead } from '@eventstore/db-client';

import { settled } from '#event-store-adapter';

import { type Call } from './answer-within.js';
import { CallerLeftError, NoAnswerError } from './call-failure.js';

/** What is made of the events of a read. */
export type Keeping<T> = Readonly<{
  keep: (event: ResolvedEvent) => T;
  /** Nothing is needed behind this one; without it everything is. */
  isLast?: (kept: T, count: number) => boolean;
}>;

/**
 * What `keep` makes of everything the read gives, in its order; the call ends when nobody waits for it any more. Throws
 * {@link CallerLeftError} if nobody waits any more, and {@link NoAnswerError} if its connection was ended: the client then
 * ends the read as if it were complete.
 */
export async function readEvents<T>(
  read: StreamingRead<ResolvedEvent>,
  { heard, left, isCut }: Call,
  { keep, isLast }: Keeping<T>,
): Promise<T[]> {
  const kept: T[] = [];
  let isEnough = false;
  const ended = Promise.withResolvers<void>();
  // The listener stays: what fails after we left must not end the process.
  read.on('error', ended.reject);
  read.on('end', ended.resolve);
  read.on('data', (event: ResolvedEvent) => {
    heard();
    if (isEnough) return;
    // Thrown here it would end the process.
    try {
      const next = keep(event);
      kept.push(next);
      isEnough = isLast?.(next, kept.length) ?? false;
      if (isEnough) ended.resolve();
    } catch (error) {
      ended.reject(error);
    }
  });
  left.addEventListener('abort', () => {
    // It fails if the call never began: then there is nothing to cancel.
    if (!read.readableEnded) void settled(read.cancel());
  });
  await ended.promise;
  if (isEnough) return kept;
  if (left.aborted) throw new CallerLeftError();
  if (isCut()) throw new NoAnswerError();
  return kept;
}
