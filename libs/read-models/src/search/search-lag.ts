import { type Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';

import { type Database } from '#database';

import { countUnindexedEvents, readModelMark } from './search-lag.queries.js';

const maxWorkspaces = 1_000;

/**
 * How many events a search is behind the read models. That it is behind none is remembered until these change, so
 * that it need not be counted for every search.
 */
export class SearchLag {
  readonly #none = new LRUCache<string, string>({ max: maxWorkspaces });

  constructor(private readonly db: Kysely<Database>) {}

  async of(workspace: string): Promise<number> {
    // Read before it is counted: what changes in between is another mark.
    const mark = await readModelMark(this.db);
    if (this.#none.get(workspace) === mark) return 0;
    const events = await countUnindexedEvents(this.db, workspace);
    if (events === 0) this.#none.set(workspace, mark);
    return events;
  }
}
