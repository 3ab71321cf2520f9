import { sha256 } from '#read-models';

import { type ResetReason } from './live-stream.messages.js';

/** What an id holds beside its place: the store that has sent it, and for whom; null for those who see everything. */
export type StreamMark = Readonly<{ store: string; audience: string | null }>;

/** `tag`: tells copies for different readers apart. */
export function markOf(store: readonly string[], tag: string | null): StreamMark {
  return { store: shortHash(JSON.stringify(store)), audience: tag && shortHash(tag) };
}

export function writeMark({ store, audience }: StreamMark): string {
  return store + (audience ?? '');
}

/** Why an id with this mark leads no further in a stream with the mark `own`; undefined if it does. */
export function differs(mark: string, own: StreamMark): ResetReason | undefined {
  if (!mark.startsWith(own.store)) return 'epoch';
  return mark === writeMark(own) ? undefined : 'audience';
}

/** Eight hexadecimal digits: enough to notice a change. */
function shortHash(text: string): string {
  return sha256(text).slice(0, 8);
}
