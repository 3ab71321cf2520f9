import { type ResolvedEvent, type StreamingRead } from '@eventstore/db-client';

import { type Call } from './answer-within.js';
import { NoAnswerError } from './call-failure.js';

/**
 * What `keep` makes of everything the read gives, in its order; the call ends when nobody waits for it any more. Throws
 * {@link NoAnswerError} where that, or the end of its connection, came first: the client then ends the read as if it
 * were complete.
 */
export async function readEvents<T>(
  read: StreamingRead<ResolvedEvent>,
  { heard, left, isCut }: Call,
  keep: (event: ResolvedEvent) => T,
): Promise<T[]> {
  const kept: T[] = [];
  const ended = Promise.withResolvers<void>();
  // The listener stays: what fails after we left must not end the process.
  read.on('error', ended.reject);
  read.on('end', ended.resolve);
  read.on('data', (event: ResolvedEvent) => {
    heard();
    // Thrown here it would end the process.
    try {
      kept.push(keep(event));
    } catch (error) {
      ended.reject(error);
    }
  });
  left.addEventListener('abort', () => {
    // A call that never began cannot be cancelled, and need not be.
    if (!read.readableEnded) void read.cancel().catch(() => undefined);
  });
  await ended.promise;
  if (isCut() || left.aborted) throw new NoAnswerError();
  return kept;
}
