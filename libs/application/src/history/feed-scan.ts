import {
  type EventStore,
  type JsonObject,
  type Position,
  type StoredEvent,
  UndecodableEventError,
  encodedSize,
  maxReadBytes,
} from '#event-sourcing';
import { type ContextId, contextOfStream, decodeEvent } from '#shared-context';

import { showEvent } from '../reading/event-view.js';

/** Whether the events of a context may be shown. */
export type VisibilityCheck = (id: ContextId) => Promise<boolean>;

/** `atEnd`: there were no events after `next` when it was read. */
export type FeedPage = Readonly<{
  items: readonly JsonObject[];
  next: Position | 'start';
  atEnd: boolean;
}>;

/** `maxBytes`: the maximum size of the payloads of a page; the first event may exceed it. */
export type FeedRange = Readonly<{
  after: Position | 'start';
  limit: number;
  maxBytes?: number | undefined;
}>;

/**
 * Limits the examined events per request, so that a workspace with few events in a large log gets a quick answer with a
 * cursor.
 */
const maxScanned = 5_000;
const maxPageBytes = 8 * 1_048_576;
const firstRead = 100;
const longestRead = 1_000;
/** If a read returns more than this, events are large, and the next read requests no more of them. */
const largeReadBytes = 1_048_576;

/** Reads the next visible events of the log, at most `limit`, and the position of the next page. */
export async function scanFeed(
  store: Pick<EventStore, 'readAll'>,
  { after, limit, maxBytes }: FeedRange,
  shows: VisibilityCheck,
): Promise<FeedPage> {
  const page = new GrowingPage(limit, maxBytes);
  let [next, ask] = [after, Math.min(limit, firstRead)];
  for (let scanned = 0; scanned < maxScanned; scanned += ask) {
    const batch = await store.readAll({ after: next, limit: ask });
    for (const event of batch) {
      if (!page.takes(event, await showFeedEvent(event, shows)))
        return { items: page.items, next, atEnd: false };
      next = event.position;
    }
    const bytes = sizeOf(batch);
    if (batch.length < ask && bytes < maxReadBytes) return { items: page.items, next, atEnd: true };
    if (page.items.length >= limit) break;
    if (bytes < largeReadBytes) ask = Math.min(ask * 2, longestRead);
  }
  return { items: page.items, next, atEnd: false };
}

class GrowingPage {
  readonly items: JsonObject[] = [];
  #bytes = 0;

  constructor(
    private readonly limit: number,
    private readonly maxBytes = maxPageBytes,
  ) {}

  /** Returns false if the page is full and the event belongs to the next one. */
  takes({ data }: StoredEvent, shown: JsonObject | undefined): boolean {
    if (this.items.length >= this.limit) return false;
    if (!shown) return true;
    if (this.items.length > 0 && this.#bytes + data.length > this.maxBytes) return false;
    this.#bytes += data.length;
    this.items.push(shown);
    return true;
  }
}

async function showFeedEvent(
  event: StoredEvent,
  shows: VisibilityCheck,
): Promise<JsonObject | undefined> {
  const id = contextOfStream(event.stream);
  return id && (await shows(id)) ? { contextId: id.contextId, ...view(event) } : undefined;
}

/** An event that this version cannot decode must not block the events after it. */
function view(event: StoredEvent): JsonObject {
  try {
    return { ...showEvent(decodeEvent(event)), unreadable: false };
  } catch (error) {
    if (!(error instanceof UndecodableEventError)) throw error;
    const { eventId, type, version, position } = event;
    return { eventId, type, version, position, data: null, unreadable: true };
  }
}

function sizeOf(batch: readonly StoredEvent[]): number {
  return batch.reduce((sum, event) => sum + encodedSize(event), 0);
}
