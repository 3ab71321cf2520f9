import { sha256 } from '#read-models';

import { type ResetReason } from './live-stream.messages.js';

/**
 * The part of an id besides its version or position. `store`: identifies the store and its epoch, empty if the version alone
 * identifies the event. `audience`: null for the audience `all`.
 */
export type StreamMark = Readonly<{ store: string; audience: string | null }>;

/** `tag`: distinguishes readers, see {@link Audiences.open}. */
export function markOf(store: readonly string[], tag: string | null): StreamMark {
  const storeMark = store.length > 0 ? shortHash(JSON.stringify(store)) : '';
  return { store: storeMark, audience: tag && shortHash(tag) };
}

export function writeMark({ store, audience }: StreamMark): string {
  return store + (audience ?? '');
}

/** Why a stream with the mark `own` cannot continue after an id with this mark; undefined if it can. */
export function resetReasonFor(mark: string, own: StreamMark): ResetReason | undefined {
  if (!mark.startsWith(own.store)) return 'epoch';
  return mark === writeMark(own) ? undefined : 'audience';
}

/** Eight hexadecimal digits: enough to notice a change. */
function shortHash(text: string): string {
  return sha256(text).slice(0, 8);
}
