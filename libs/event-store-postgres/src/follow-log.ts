import { type StoredEvent, type SubscribeAll } from '#event-sourcing';

import { backOff } from './backoff.js';
import { type LogReader } from './log-reader.js';
import { type LogSignal } from './log-signal.js';
import { countOf } from './position.js';

type Following = SubscribeAll & Readonly<{ pollMs: number }>;

/** Reads on whenever the signal knows of something newer, and every `pollMs` in case nobody told it. */
export async function* followLog(
  reader: LogReader,
  log: LogSignal,
  { after, batchSize, signal, pollMs }: Following,
): AsyncGenerator<readonly StoredEvent[]> {
  let at = after;
  let attempt = 0;
  while (!signal.aborted) {
    // Everything announced before the read is in it, so only something newer is worth another.
    const known = log.latest;
    const batch = await reader
      .readAll({ after: at, limit: batchSize }, { signal })
      .catch((error: unknown) => ignoreOutage(error));
    if (!batch) await backOff(attempt++, signal);
    else attempt = 0;
    const last = batch?.at(-1);
    if (batch && last) {
      at = last.position;
      yield batch;
    }
    if (batch && batch.length < batchSize)
      await log.beyond(larger(known, countOf(at)), pollMs, signal);
  }
}

/** A subscription outlives the server; only what would never go well is thrown. */
function ignoreOutage(error: unknown): undefined {
  if (error instanceof RangeError) throw error;
  return undefined;
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
