import { type CallOptions, type StoredEvent } from '#event-sourcing';
import { type ContextId, type DecodedEvent, decodeEvent } from '#shared-context';
import { type VisibilityFilter, type FilteredReader } from '#visibility';

import { GrowingPage, shownBytes } from '../paging/page-bytes.js';

const firstRead = 32;
const examinedAtOnce = 64;
/** One request looks through so many events, or so many bytes of them, whatever it finds; its cursor goes on from there. */
const maxEvents = 5_000;
const maxBytes = 16 * 1_048_576;

/** Versions behind `after` up to `until`. */
export type EventRange = Readonly<{
  after: number;
  until: number;
  limit: number;
  types?: ReadonlySet<string> | undefined;
  /** Of what a page shows; left out, as much as a page of a list may hold. */
  maxPageBytes?: number | undefined;
}>;

/** The context whose events are read, and the visibility filter through which they are seen. */
type EventScope = Readonly<{ id: ContextId; filter: VisibilityFilter | undefined }>;

/** `next` is the version behind which the next page begins, undefined at the end: a page may be empty and have one. */
type EventsPage = Readonly<{ events: readonly DecodedEvent[]; next: number | undefined }>;

/** Events of a range, oldest first. */
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
    const page = await scan.behind(stored);
    if (page) return page;
  }
  return scan.end();
}

/** Fills a page with the visible ones of the examined events. */
class EventScan {
  readonly #page: GrowingPage<DecodedEvent>;
  #unseen: DecodedEvent[] = [];
  #events = 0;
  #bytes = 0;

  constructor(
    private readonly filteredReader: FilteredReader,
    private readonly scope: EventScope,
    private readonly range: EventRange,
  ) {
    this.#page = new GrowingPage(range.limit, range.maxPageBytes);
  }

  /** The page, if it ends behind this event. */
  async behind(stored: StoredEvent): Promise<EventsPage | undefined> {
    const { types, until } = this.range;
    if (!types || types.has(stored.type)) this.#unseen.push(decodeEvent(stored));
    const isFar = this.#isFarBehind(stored);
    if (isFar || this.#isWorthALook) {
      const full = await this.#look();
      if (full) return full;
    }
    return isFar && stored.version < until ? this.#pageBefore(stored.version) : undefined;
  }

  async end(): Promise<EventsPage> {
    return (await this.#look()) ?? this.#pageBefore(undefined);
  }

  #isFarBehind({ data }: StoredEvent): boolean {
    this.#events++;
    this.#bytes += data.length;
    return this.#events >= maxEvents || this.#bytes >= maxBytes;
  }

  /** What is behind the visibility filter is looked up for many at once. */
  get #isWorthALook(): boolean {
    return !this.scope.filter || this.#unseen.length >= examinedAtOnce;
  }

  /** The page, if more is seen than it holds. */
  async #look(): Promise<EventsPage | undefined> {
    const { id, filter } = this.scope;
    const seen = await this.filteredReader.filterEvents(id, filter, this.#unseen);
    this.#unseen = [];
    for (const event of seen)
      if (!this.#page.takes(event, filter ? shownBytes(event) : event.bytes))
        return this.#pageBefore(this.#page.items.at(-1)?.version);
    return undefined;
  }

  #pageBefore(next: number | undefined): EventsPage {
    return { events: this.#page.items, next };
  }
}
