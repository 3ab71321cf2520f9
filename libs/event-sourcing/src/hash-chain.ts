import { type StreamPosition, type Sha256, expectedHash, openEnvelope } from './envelope.js';
import { type EventToAppend } from './event-store.js';

/** The end of the verified part of a chain; before the first event, the version is 0 and the hash is null. */
export type ChainEnd = Readonly<{ version: number; hash: string | null }>;

/** The version at which the chain first breaks, and the reason. */
export type ChainBreak = Readonly<{
  version: number;
  reason: 'gap' | 'unreadable-envelope' | 'wrong-previous-hash' | 'wrong-hash';
}>;

/** An event of a stream, from any source. */
export type ChainedEvent = EventToAppend & Readonly<{ version: number }>;

/**
 * Verifies the next events of a stream against the chain that ends before them. Pass the returned `end` to the next
 * call. Without a break, no event up to `end` was edited, moved, removed or inserted. The removal of the last events is
 * not detected here, but by seals.
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
