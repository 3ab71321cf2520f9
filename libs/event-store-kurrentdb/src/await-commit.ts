import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { type Call } from './answer-within.js';
import { fresh } from './log-reads.js';
import { type Reads } from './reads.js';

/** The server gives a write up after two seconds. */
const longestCommitMs = 3_000;
/** The pause between two reads of the event, which is a tenth of the time so far. */
const [shortestPauseMs, longestPauseMs, pauseShare] = [5, 25, 0.1];

/** An event of a stream, by the server's name for it and by its revision there. */
type EventPlace = Readonly<{ serverStream: string; revision: bigint }>;

/**
 * Resolves once an event can be read, which is when it is committed, or after three seconds, when it never will be. Rejects
 * if the server cannot be asked.
 */
export async function awaitCommit(
  reads: Reads,
  place: EventPlace,
  over: AbortSignal,
): Promise<void> {
  const limit = AbortSignal.any([over, AbortSignal.timeout(longestCommitMs)]);
  await Promise.race([readAgain(reads, place, limit), aborted(limit)]);
}

async function readAgain(
  reads: Reads,
  { serverStream, revision: fromRevision }: EventPlace,
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
