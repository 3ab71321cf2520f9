import { type Position as ClientPosition } from '@eventstore/db-client';

import { type Position } from '#event-sourcing';

import { type Namespace } from './namespace.js';
import { asPosition, comparePositions } from './position.js';

/** The position of any event, including foreign ones. */
export type LogPosition = Readonly<{ stream: string; position: ClientPosition }>;

/** The queries on the log. */
export type LogSearch = Readonly<{
  /** The newest event of any stream. */
  newest: () => Promise<LogPosition | undefined>;
  /** The newest event of the namespace, found by a search on the server. */
  newestOfOurs: () => Promise<Position | undefined>;
  /** The first events of the namespace after a position. Throws RangeError if the log has no event there. */
  oursBehind: (position: Position, limit: number) => Promise<readonly Position[]>;
}>;

/** A search exceeded its limit and is started again. */
export class SearchLostError extends Error {
  override readonly name = 'SearchLostError';
}

type KnownHead = Readonly<{
  head: Position | 'start';
  /** Events of the namespace were searched up to this position. */
  lookedTo: Position | 'start';
}>;

const nothing: KnownHead = { head: 'start', lookedTo: 'start' };
/** If more new events of the namespace exist than this, a search from the end of the log is faster. */
const maxBehind = 10;

/**
 * Finds the newest event of the namespace among foreign events: the server examines these once, and not again in the
 * next search.
 */
export class LogHead {
  #known = nothing;
  #searching: Promise<void> | undefined;

  /**
   * `searchLong` continues after its caller has left, so that the next caller gets its result. It throws {@link
   * SearchLostError} after a separate time limit.
   */
  constructor(
    private readonly names: Namespace,
    private readonly searchLong: LogSearch['newestOfOurs'],
  ) {}

  async find(search: LogSearch): Promise<Position | 'start'> {
    const newest = await search.newest();
    if (!newest) return this.#forget();
    const end = asPosition(newest.position);
    if (this.names.fromServer(newest.stream) !== undefined) return this.#remember(end, end);
    const known = this.#known;
    const order = comparePositions(end, known.lookedTo);
    if (order === 0) return known.head;
    // The log was restored from a backup, or replaced by another one.
    if (order < 0) this.#forget();
    const head = order < 0 ? undefined : await this.#searchOn(search, known, end);
    if (head !== undefined) return head;
    await this.#shareSearch(end);
    return this.find(search);
  }

  /** Resolves when a search has ended, even if it was lost. */
  async #shareSearch(end: Position): Promise<void> {
    this.#searching ??= this.#searchBack(end).finally(() => (this.#searching = undefined));
    try {
      await this.#searching;
    } catch (error) {
      if (!(error instanceof SearchLostError)) throw error;
    }
  }

  /** Searches from the known head to the end of the log; undefined if no head is known, or if it is too far behind. */
  async #searchOn(
    { oursBehind }: LogSearch,
    { head, lookedTo }: KnownHead,
    end: Position,
  ): Promise<Position | 'start' | undefined> {
    if (lookedTo === 'start') return undefined;
    try {
      const behind = await oursBehind(lookedTo, maxBehind);
      if (behind.length < maxBehind) return this.#remember(behind.at(-1) ?? head, end);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#forget();
    }
    return undefined;
  }

  async #searchBack(end: Position): Promise<void> {
    this.#remember((await this.searchLong()) ?? 'start', end);
  }

  #forget(): 'start' {
    this.#known = nothing;
    return 'start';
  }

  /** Searches may overtake each other: the known positions only increase. */
  #remember(head: Position | 'start', end: Position): Position | 'start' {
    const { head: known, lookedTo } = this.#known;
    this.#known = { head: later(head, known), lookedTo: later(later(head, end), lookedTo) };
    return head;
  }
}

function later(left: Position | 'start', right: Position | 'start'): Position | 'start' {
  return comparePositions(left, right) > 0 ? left : right;
}
