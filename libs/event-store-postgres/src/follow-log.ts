import { type StoredEvent, type SubscribeAll, StoreUnavailableError } from '#event-sourcing';
import { backOff, within } from '#event-store-adapter';

import { type FeedReader, type Portion } from './feed-reader.js';
import { type LogSignal } from './log-signal.js';
import { countOf } from './position.js';

type FollowOptions = SubscribeAll & Readonly<{ pollMs: number }>;

/** Reads when a newer position is signaled, and at least every `pollMs`, in case a notification was missed. */
export async function* followLog(
  feed: FeedReader,
  log: LogSignal,
  { after, batchSize, signal, pollMs }: FollowOptions,
): AsyncGenerator<readonly StoredEvent[]> {
  let at = after;
  for (let failures = 0; !signal.aborted;) {
    const portion = await nextPortion(() => feed.next(at, batchSize), signal);
    if (!portion) {
      await backOff(failures++, signal);
      continue;
    }
    failures = 0;
    at = portion.events.at(-1)?.position ?? at;
    if (portion.events.length > 0) yield portion.events;
    if (isCaughtUp(portion, countOf(at)))
      await log.beyond(larger(portion.known, countOf(at)), pollMs, signal);
  }
}

/** Undefined if the store does not answer, which does not end a subscription. Permanent errors are thrown. */
async function nextPortion(
  read: () => Promise<Portion>,
  signal: AbortSignal,
): Promise<Portion | undefined> {
  try {
    return await within({ signal }, () => new StoreUnavailableError('no answer'), read);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

/**
 * Whether there is nothing more to read for now. A portion may have fewer events than requested because of the limit of
 * bytes.
 */
function isCaughtUp({ events, known }: Portion, at: bigint): boolean {
  return events.length === 0 || (known > 0n && at >= known);
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
