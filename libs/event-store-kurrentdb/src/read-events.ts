import { type ResolvedEvent, type StreamingRead } from '@eventstore/db-client';

import { settled } from '#event-store-adapter';

import { type Call } from './answer-within.js';
import { CallerLeftError, NoAnswerError } from './call-failure.js';

/** How to select and convert the events of a read. */
export type Keeping<T> = Readonly<{
  keep: (event: ResolvedEvent) => T;
  /** Whether no later event is needed; if missing, all are. */
  isLast?: (result: T, count: number) => boolean;
}>;

/**
 * The results of `keep` for all events of the read, in order. Throws {@link CallerLeftError} if the caller no longer
 * waits, and {@link NoAnswerError} if the connection was closed, in which case the client ends the read as if it were
 * complete.
 */
export async function readEvents<T>(
  read: StreamingRead<ResolvedEvent>,
  { heard, left, isCut }: Call,
  { keep, isLast }: Keeping<T>,
): Promise<T[]> {
  const results: T[] = [];
  let isEnough = false;
  const ended = Promise.withResolvers<void>();
  // The listener remains: an error after the end of the read must not end the process.
  read.on('error', ended.reject);
  read.on('end', ended.resolve);
  read.on('data', (event: ResolvedEvent) => {
    heard();
    if (isEnough) return;
    // An exception here would end the process.
    try {
      const next = keep(event);
      results.push(next);
      isEnough = isLast?.(next, results.length) ?? false;
      if (isEnough) ended.resolve();
    } catch (error) {
      ended.reject(error);
    }
  });
  left.addEventListener('abort', () => {
    // It fails if the call never began, and then there is nothing to cancel.
    if (!read.readableEnded) void settled(read.cancel());
  });
  await ended.promise;
  if (isEnough) return results;
  if (left.aborted) throw new CallerLeftError();
  if (isCut()) throw new NoAnswerError();
  return results;
}
