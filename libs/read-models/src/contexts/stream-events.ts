import { type EventStore } from '#event-sourcing';
import { type ReadEvents, contextStream, decodeEvent } from '#shared-context';
import { Slice } from '#slices';

/** An event may have a megabyte. */
const page = 128;

/** Reads the events of contexts from a store, page by page; other work goes on in between. */
export function streamEvents(store: EventStore): ReadEvents {
  return async function* read(id, version) {
    const slice = new Slice();
    for (let from = 1; from <= version; from += page) {
      const limit = Math.min(page, version - from + 1);
      for (const stored of await store.readStream(contextStream(id), { from, limit })) {
        yield decodeEvent(stored);
        if (slice.isOver) await slice.pause();
      }
    }
  };
}
