import { type StreamPosition, type Sha256, expectedHash, openEnvelope } from './envelope.js';
import { type EventToAppend } from './event-store.js';

/** Up to where a chain was found whole: nothing read yet is version 0 and no hash. */
export type ChainEnd = Readonly<{ version: number; hash: string | null }>;

/** `version` is where the chain first breaks, `reason` how. */
export type ChainBreak = Readonly<{
  version: number;
  reason: 'gap' | 'unreadable-envelope' | 'wrong-previous-hash' | 'wrong-hash';
}>;

/** An event of a stream, wherever it was read from. */
export type ChainedEvent = EventToAppend & Readonly<{ version: number }>;

/**
 * Checks the next events of one stream, as read, against the chain that ends before them; give the answer's `end`
 * to the next call. Without a break, nobody has edited, moved, removed or inserted an event up to `end`: only
 * events cut off behind it go unseen, which is what seals are for.
 */
export function checkChain(
  events: readonly ChainedEvent[],
  after: ChainEnd,
  owner: Pick<StreamPosition, 'workspace' | 'context'>,
  sha256: Sha256,
): Readonly<{ end: ChainEnd; broken: ChainBreak | null }> {
  let end = after;
  for (const event of events) {
    const place = { ...owner, version: end.version + 1 };
    const link = checkLink(event, end.hash, place, sha256);
    if (link.reason) return { end, broken: { version: place.version, reason: link.reason } };
    end = { version: place.version, hash: link.hash };
  }
  return { end, broken: null };
}

type Link =
  | Readonly<{ hash: string; reason?: undefined }>
  | Readonly<{ reason: ChainBreak['reason'] }>;

function checkLink(
  event: ChainedEvent,
  previousHash: string | null,
  place: StreamPosition,
  sha256: Sha256,
): Link {
  if (event.version !== place.version) return { reason: 'gap' };
  let envelope;
  try {
    envelope = openEnvelope(event.metadata);
  } catch {
    return { reason: 'unreadable-envelope' };
  }
  if (envelope.previousHash !== previousHash) return { reason: 'wrong-previous-hash' };
  if (envelope.hash !== expectedHash(event, envelope, place, sha256))
    return { reason: 'wrong-hash' };
  return { hash: envelope.hash };
}
