import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { type Call } from './answer-within.js';
import { fresh } from './log-reads.js';
import { type Reads } from './reads.js';

/** The server gives up a write after two seconds. */
const longestCommitMs = 3_000;
/** The pause between two reads of the event, which is a tenth of the time so far. */
const [shortestPauseMs, longestPauseMs, pauseShare] = [5, 25, 0.1];

/** An event by the server's name of its stream and by its revision. */
type EventReference = Readonly<{ serverStream: string; revision: bigint }>;

/**
 * Resolves when an event is readable, which means committed, or after three seconds, when it will never be. Rejects if
 * the server cannot be reached.
 */
export async function awaitCommit(
  reads: Reads,
  event: EventReference,
  over: AbortSignal,
): Promise<void> {
  const limit = AbortSignal.any([over, AbortSignal.timeout(longestCommitMs)]);
  await Promise.race([readAgain(reads, event, limit), aborted(limit)]);
}

async function readAgain(
  reads: Reads,
  { serverStream, revision: fromRevision }: EventReference,
  over: AbortSignal,
): Promise<void> {
  const open = ({ client }: Call) =>
    client.readStream(serverStream, { ...fresh, fromRevision, maxCount: 1 });
  const began = performance.now();
  while ((await reads.read(over, open, { keep: () => true })).length === 0) {
    const pauseMs = pauseShare * (performance.now() - began);
    await delay(Math.min(Math.max(pauseMs, shortestPauseMs), longestPauseMs));
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
