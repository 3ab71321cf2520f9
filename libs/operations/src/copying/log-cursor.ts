import {
  type EventStore,
  type Position,
  type StoredEvent,
  encodedSize,
  maxAppendBytes,
} from '#event-sourcing';

const firstPage = 50;
const maxEvents = 500;
/** A page is to hold about so many bytes, judged by the page before. */
const pageBytes = 4 * 1_048_576;

/** A place in a log that moves on event by event, and sees what is appended behind it meanwhile. */
export class LogCursor {
  #page: readonly StoredEvent[] = [];
  #at = 0;
  #limit = firstPage;
  #after: Position | 'start' = 'start';

  constructor(private readonly store: EventStore) {}

  /** Whether nothing up to `position` is left. */
  hasPassed(position: Position | 'start'): boolean {
    return this.store.comparePositions(this.#after, position) >= 0;
  }

  /** The next event, if there is one by now; it stays the next. */
  async peek(): Promise<StoredEvent | undefined> {
    if (this.#at === this.#page.length) {
      this.#page = await this.store.readAll({ after: this.#after, limit: this.#limit });
      this.#limit = limitBehind(this.#page) ?? this.#limit;
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

  /** The next events of one stream that stand together, as far as they are read: no more than one append takes. */
  async nextRun(most: number): Promise<StoredEvent[]> {
    const first = await this.peek();
    const run: StoredEvent[] = [];
    let room = maxAppendBytes;
    for (const event of this.#page.slice(this.#at, this.#at + most)) {
      room -= encodedSize(event);
      if (event.stream !== first?.stream || (run.length > 0 && room < 0)) break;
      run.push(event);
    }
    this.#at += run.length;
    this.#after = run.at(-1)?.position ?? this.#after;
    return run;
  }
}

function limitBehind(page: readonly StoredEvent[]): number | undefined {
  if (page.length === 0) return undefined;
  const bytes = page.reduce((sum, event) => sum + encodedSize(event), 0);
  return Math.min(Math.ceil((pageBytes * page.length) / bytes), maxEvents);
}
