import {
  type EventStore,
  type Position,
  type StoredEvent,
  encodedSize,
  maxAppendBytes,
} from '#event-sourcing';

const firstPage = 50;
const maxEvents = 500;
/** The target size of a page, estimated from the previous page. */
const pageBytes = 4 * 1_048_576;

/** Reads a log event by event, including events that are appended during the reading. */
export class LogCursor {
  #page: readonly StoredEvent[] = [];
  #at = 0;
  #limit = firstPage;
  #after: Position | 'start' = 'start';

  constructor(private readonly store: EventStore) {}

  /** Whether all events up to `position` were read. */
  hasPassed(position: Position | 'start'): boolean {
    return this.store.comparePositions(this.#after, position) >= 0;
  }

  /** The next event, without consuming it; undefined at the current end of the log. */
  async peek(): Promise<StoredEvent | undefined> {
    if (this.#at === this.#page.length) {
      this.#page = await this.store.readAll({ after: this.#after, limit: this.#limit });
      this.#limit = nextLimit(this.#page) ?? this.#limit;
      this.#at = 0;
    }
    return this.#page[this.#at];
  }

  async next(): Promise<StoredEvent | undefined> {
    const event = await this.peek();
    if (!event) return undefined;
    this.#at++;
    this.#after = event.position;
    return event;
  }

  /** Consumes the next consecutive events of one stream within the current page: at most one append. */
  async nextRun(maxCount: number): Promise<StoredEvent[]> {
    const first = await this.peek();
    const run: StoredEvent[] = [];
    let remainingBytes = maxAppendBytes;
    for (const event of this.#page.slice(this.#at, this.#at + maxCount)) {
      remainingBytes -= encodedSize(event);
      if (event.stream !== first?.stream || (run.length > 0 && remainingBytes < 0)) break;
      run.push(event);
    }
    this.#at += run.length;
    this.#after = run.at(-1)?.position ?? this.#after;
    return run;
  }
}

function nextLimit(page: readonly StoredEvent[]): number | undefined {
  if (page.length === 0) return undefined;
  const bytes = page.reduce((sum, event) => sum + encodedSize(event), 0);
  return Math.min(Math.ceil((pageBytes * page.length) / bytes), maxEvents);
}
