import { type EventStore } from '#event-sourcing';
import { type ReadEvents, contextStream, decodeEvent } from '#shared-context';
import { Slice } from '#slices';

/** An event can have a megabyte, which bounds the events of a page. */
const page = 128;

/** Reads the events of contexts from a store in pages, and pauses so that other work can run. */
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
