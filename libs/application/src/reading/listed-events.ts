import { type JsonObject } from '#event-sourcing';
import { type VisibilityFilter, type FilteredReader } from '#visibility';

import { encodeCursor } from '../paging/cursor.js';
import { type Page } from '../paging/page.js';
import { showEvent } from './event-view.js';
import { readEventsPage } from './events-page.js';
import {
  type AuthorizedSnapshot,
  readable,
  responseMetadata,
} from './authorized-context-reader.js';

/** Events after the version `after`. `maxPageBytes`: see {@link readEventsPage}. */
type ListedRange = Readonly<{
  after: number;
  limit: number;
  types?: readonly string[] | undefined;
  maxPageBytes?: number | undefined;
}>;

/**
 * `next`: the version after which the next page begins, undefined at the end. `filter`: the visibility filter that was
 * applied.
 */
export type EventsResult = ReturnType<typeof responseMetadata> &
  Readonly<{
    page: Page<JsonObject>;
    next: number | undefined;
    filter: VisibilityFilter | undefined;
  }>;

/** Reads the head of the context. */
type ReadHead = () => Promise<AuthorizedSnapshot>;

/** Reads pages of `GET .../events`; every read starts after the same version. */
export class ListedEvents {
  /** Readers with this tag have no matching events up to `after`. */
  #start: Readonly<{ after: number; tag: string | null | undefined }>;

  constructor(
    private readonly filteredReader: FilteredReader,
    private readonly range: ListedRange,
  ) {
    this.#start = { after: range.after, tag: undefined };
  }

  /** Reads a page from the end of the previous read on, and continues past ranges without matching events. */
  async scan(read: ReadHead, goOn: (found: EventsResult) => boolean): Promise<EventsResult> {
    for (let after: number | undefined; ;) {
      const snapshot = await read();
      const { tag } = snapshot;
      // A changed policy may reveal events in ranges that were skipped.
      if (this.#start.tag !== tag)
        [this.#start, after] = [{ after: this.range.after, tag }, undefined];
      const { found, settled } = await this.#find(snapshot, after ?? this.#start.after);
      // After a hit the start does not move, because other requests that share this read need the same events.
      const isEmpty = found.page.items.length === 0;
      if (isEmpty) this.#start = { after: Math.max(this.#start.after, settled), tag };
      if (!isEmpty || found.next === undefined || !goOn(found)) return found;
      after = found.next;
    }
  }

  /** `settled`: later reads find the same events up to this version. */
  async #find(snapshot: AuthorizedSnapshot, after: number) {
    const { head, filter } = snapshot;
    const { limit, types, maxPageBytes } = this.range;
    const range = { after, until: head.version, limit, types: types && new Set(types) };
    const { events, next } = await readable(() =>
      readEventsPage(this.filteredReader, { id: head, filter }, { ...range, maxPageBytes }),
    );
    const page: Page<JsonObject> = {
      items: events.map((event) => showEvent(event, filter)),
      nextCursor: next === undefined ? null : encodeCursor([String(next)]),
    };
    const settled = isSettled(filter) ? (next ?? head.version) : 0;
    return { found: { ...responseMetadata(snapshot), page, next, filter }, settled };
  }
}

/** Whether the visibility of an event never depends on later events. */
function isSettled(filter: VisibilityFilter | undefined): boolean {
  return !filter || !(filter.dependsOnFailures || filter.liveDecisionsOnly);
}
