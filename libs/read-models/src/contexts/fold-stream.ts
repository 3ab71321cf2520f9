import { type EventStore } from '#event-sourcing';
import { ContextState, baseOf, rebase } from '#shared-context';

import { type ContextId, contextStream } from './context-stream.js';
import { decodeEvent } from './decode-event.js';

const page = 512;

/** All items of a context at a version from the streams alone: its own, and those of what it stands on. */
export async function foldStream(
  store: EventStore,
  id: ContextId,
  version: number,
): Promise<ContextState> {
  let state = ContextState.from([]);
  for (let from = 1; from <= version; from += page) {
    const limit = Math.min(page, version - from + 1);
    for (const stored of await store.readStream(contextStream(id), { from, limit })) {
      const event = decodeEvent(stored);
      const base = baseOf(id.contextId, event);
      const atBase = base && (await foldStream(store, { ...id, ...base }, base.version));
      state = base && atBase ? rebase(base, state.values(), atBase.values()) : state;
      state = state.apply(event);
    }
  }
  return state;
}
