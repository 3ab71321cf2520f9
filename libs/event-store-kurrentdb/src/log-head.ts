import { type Position as ClientPosition } from '@eventstore/db-client';

import { type Position } from '#event-sourcing';

import { type Namespace } from './namespace.js';
import { asPosition, comparePositions } from './position.js';

/** Where an event lies, whosever it is. */
export type LogPosition = Readonly<{ stream: string; position: ClientPosition }>;

/** What can be asked of the log. */
export type LogSearch = Readonly<{
  /** Its newest event. */
  newest: () => Promise<LogPosition | undefined>;
  /** Our newest event, looked for on the server. */
  newestOfOurs: () => Promise<Position | undefined>;
  /** The first events of ours behind a position. Throws RangeError if the log has no event there. */
  oursBehind: (position: Position, most: number) => Promise<readonly Position[]>;
}>;

/** A search took longer than any should: it is begun anew. */
export class SearchLostError extends Error {
  override readonly name = 'SearchLostError';
}

type Known = Readonly<{
  head: Position | 'start';
  /** Our events up to here have been looked for. */
  lookedTo: Position | 'start';
}>;

const nothing: Known = { head: 'start', lookedTo: 'start' };
/** With more events of ours than that behind what is known, the newest is found sooner from the end of the log. */
const maxBehind = 10;

/**
 * The newest event of ours, among those of the server and of other applications: the server passes over these once, and
 * not again at the next look.
 */
export class LogHead {
  #known = nothing;
  #searching: Promise<void> | undefined;

  /**
   * `searchLong` goes on after whoever began the search has given it up, so that the next one finds its result. It throws
   * {@link SearchLostError} after a limit of its own.
   */
  constructor(
    private readonly names: Namespace,
    private readonly searchLong: LogSearch['newestOfOurs'],
  ) {}

  async find(search: LogSearch): Promise<Position | 'start'> {
    const newest = await search.newest();
    if (!newest) return this.#forget();
    const end = asPosition(newest.position);
    if (this.names.fromServer(newest.stream) !== undefined) return this.#note(end, end);
    const known = this.#known;
    const place = comparePositions(end, known.lookedTo);
    if (place === 0) return known.head;
    // The log was brought back from a backup, or is another one.
    if (place < 0) this.#forget();
    const head = place < 0 ? undefined : await this.#searchOn(search, known, end);
    if (head !== undefined) return head;
    await this.#shareSearch(end);
    return this.find(search);
  }

  /** Resolves when a search has ended, be it lost. */
  async #shareSearch(end: Position): Promise<void> {
    this.#searching ??= this.#searchBack(end).finally(() => (this.#searching = undefined));
    try {
      await this.#searching;
    } catch (error) {
      if (!(error instanceof SearchLostError)) throw error;
    }
  }

  /** From what is known to the end of the log; undefined if nothing is known, or it is too far behind. */
  async #searchOn(
    { oursBehind }: LogSearch,
    { head, lookedTo }: Known,
    end: Position,
  ): Promise<Position | 'start' | undefined> {
    if (lookedTo === 'start') return undefined;
    try {
      const behind = await oursBehind(lookedTo, maxBehind);
      if (behind.length < maxBehind) return this.#note(behind.at(-1) ?? head, end);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#forget();
    }
    return undefined;
  }

  async #searchBack(end: Position): Promise<void> {
    this.#note((await this.searchLong()) ?? 'start', end);
  }

  #forget(): 'start' {
    this.#known = nothing;
    return 'start';
  }

  /** Searches may overtake one another; what is known only grows. */
  #note(head: Position | 'start', end: Position): Position | 'start' {
    const { head: known, lookedTo } = this.#known;
    this.#known = { head: later(head, known), lookedTo: later(later(head, end), lookedTo) };
    return head;
  }
}

function later(left: Position | 'start', right: Position | 'start'): Position | 'start' {
  return comparePositions(left, right) > 0 ? left : right;
}
