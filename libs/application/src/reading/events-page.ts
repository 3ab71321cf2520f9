import { type CallOptions, type StoredEvent } from '#event-sourcing';
import { type ContextId, type DecodedEvent, decodeEvent } from '#shared-context';
import { type VisibilityFilter, type FilteredReader } from '#visibility';

import { GrowingPage, shownBytes } from '../paging/page-bytes.js';

const firstRead = 32;
const examinedAtOnce = 64;
/**
 * One request examines at most this many events, or this many bytes of events, whether or not they match; its cursor
 * continues after them.
 */
const maxEvents = 5_000;
const maxBytes = 16 * 1_048_576;

/** The versions after `after` up to `until`. */
export type EventRange = Readonly<{
  after: number;
  until: number;
  limit: number;
  types?: ReadonlySet<string> | undefined;
  /** The maximum size of the shown events; default: the maximum size of a page of a list. */
  maxPageBytes?: number | undefined;
}>;

/** The context whose events are read, and the visibility filter that is applied. */
type EventScope = Readonly<{ id: ContextId; filter: VisibilityFilter | undefined }>;

/** `next` is the version after which the next page begins, undefined at the end. A page with a `next` may be empty. */
type EventsPage = Readonly<{ events: readonly DecodedEvent[]; next: number | undefined }>;

/** Reads the events of a range, oldest first. */
export async function readEventsPage(
  filteredReader: FilteredReader,
  scope: EventScope,
  range: EventRange,
  options?: CallOptions,
): Promise<EventsPage> {
  const { after, until, limit } = range;
  const scan = new EventScan(filteredReader, scope, range);
  const tail = { after, until, first: Math.min(limit + 1, firstRead) };
  for await (const stored of filteredReader.reader.storedTail(scope.id, tail, options)) {
    const page = await scan.add(stored);
    if (page) return page;
  }
  return scan.end();
}

/** Fills a page with the visible events. */
class EventScan {
  readonly #page: GrowingPage<DecodedEvent>;
  #pending: DecodedEvent[] = [];
  #events = 0;
  #bytes = 0;

  constructor(
    private readonly filteredReader: FilteredReader,
    private readonly scope: EventScope,
    private readonly range: EventRange,
  ) {
    this.#page = new GrowingPage(range.limit, range.maxPageBytes);
  }

  /** Adds an event, and returns the page if it ends after this event. */
  async add(stored: StoredEvent): Promise<EventsPage | undefined> {
    const { types, until } = this.range;
    if (!types || types.has(stored.type)) this.#pending.push(decodeEvent(stored));
    const isAtLimit = this.#reachesScanLimit(stored);
    if (isAtLimit || this.#isBatchFull) {
      const full = await this.#addVisible();
      if (full) return full;
    }
    return isAtLimit && stored.version < until ? this.#pageUntil(stored.version) : undefined;
  }

  async end(): Promise<EventsPage> {
    return (await this.#addVisible()) ?? this.#pageUntil(undefined);
  }

  #reachesScanLimit({ data }: StoredEvent): boolean {
    this.#events++;
    this.#bytes += data.length;
    return this.#events >= maxEvents || this.#bytes >= maxBytes;
  }

  /** The visibility filter is applied to many events at once. */
  get #isBatchFull(): boolean {
    return !this.scope.filter || this.#pending.length >= examinedAtOnce;
  }

  /** Adds the visible events, and returns the page if they exceed it. */
  async #addVisible(): Promise<EventsPage | undefined> {
    const { id, filter } = this.scope;
    const visible = await this.filteredReader.filterEvents(id, filter, this.#pending);
    this.#pending = [];
    for (const event of visible)
      if (!this.#page.takes(event, filter ? shownBytes(event) : event.bytes))
        return this.#pageUntil(this.#page.items.at(-1)?.version);
    return undefined;
  }

  #pageUntil(next: number | undefined): EventsPage {
    return { events: this.#page.items, next };
  }
}
