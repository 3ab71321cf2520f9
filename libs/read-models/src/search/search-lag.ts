import { type Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';

import { type Database } from '#database';

import { countUnindexedEvents, readModelMark } from './search-lag.queries.js';

const maxWorkspaces = 1_000;

/**
 * How many events the search rows lag behind the read models. A lag of zero is cached until the read models change, so
 * that searches need not count.
 */
export class SearchLag {
  readonly #none = new LRUCache<string, string>({ max: maxWorkspaces });

  constructor(private readonly db: Kysely<Database>) {}

  async of(workspace: string): Promise<number> {
    // Read before counting: a change in between has another mark.
    const mark = await readModelMark(this.db);
    if (this.#none.get(workspace) === mark) return 0;
    const events = await countUnindexedEvents(this.db, workspace);
    if (events === 0) this.#none.set(workspace, mark);
    return events;
  }
}
