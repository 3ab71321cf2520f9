import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { findOrphan, listProjectedContexts } from '#read-models';
import { type ContextId, contextStream } from '#shared-context';

import { readLog } from '../log-pages.js';
import {
  type DuplicateEvent,
  findDuplicates,
  findOwnIdentity,
  listStreams,
  maxDuplicates,
  streamsPerPage,
} from './audit-queries.js';

type Duplicates = Readonly<{
  found: readonly DuplicateEvent[];
  /** Why not every event was compared. */
  note: string | null;
}>;

/** What an audit must know of the log as a whole. Ask for the streams first, to their end. */
type LogSurvey = Readonly<{
  /** The names of all streams, some at a time. */
  streams: () => AsyncGenerator<readonly string[]>;
  /** Event ids that are stored more than once. */
  duplicates: () => Promise<Duplicates>;
  /** A context that rows speak of and the log does not. */
  orphan: () => Promise<ContextId | undefined>;
}>;

/** About 100 MB of ids. */
const maxIds = 1_000_000;

/** By SQL where the log is in this database; by reading it where it is elsewhere. */
export async function openSurvey(
  stores: Readonly<{ db: Kysely<Database>; store: EventStore }>,
  idsKept = maxIds,
): Promise<LogSurvey> {
  const { db, store } = stores;
  if ((await findOwnIdentity(db)) !== (await store.identity()))
    return new ReadSurvey(db, store, idsKept);
  return {
    streams: () => listStreams(db),
    duplicates: async () => ({ found: await findDuplicates(db), note: null }),
    orphan: () => findOrphan(db),
  };
}

/** Keeps the names of streams, and event ids as far as they fit. */
class ReadSurvey {
  readonly #streams = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #again = new Map<string, number>();
  #isFull = false;

  constructor(
    private readonly db: Kysely<Database>,
    private readonly store: EventStore,
    private readonly idsKept: number,
  ) {}

  async *streams(): AsyncGenerator<readonly string[]> {
    let found: string[] = [];
    for await (const page of readLog(this.store, await this.store.head())) {
      for (const { stream, eventId } of page) {
        this.#note(eventId);
        if (this.#streams.has(stream)) continue;
        this.#streams.add(stream);
        found.push(stream);
      }
      for (; found.length >= streamsPerPage; found = found.slice(streamsPerPage))
        yield found.slice(0, streamsPerPage);
    }
    if (found.length > 0) yield found;
  }

  duplicates(): Promise<Duplicates> {
    const found = [...this.#again].map(([eventId, times]) => ({ eventId, times }));
    const note = this.#isFull
      ? `event ids of the first ${this.idsKept} events only: more are not kept in memory`
      : null;
    return Promise.resolve({ found, note });
  }

  async orphan(): Promise<ContextId | undefined> {
    for await (const page of listProjectedContexts(this.db))
      for (const id of page) if (await this.#isAbsent(contextStream(id))) return id;
    return undefined;
  }

  /** Ids that are kept already are found again however late. */
  #note(eventId: string): void {
    if (this.#ids.has(eventId)) {
      if (this.#again.size < maxDuplicates || this.#again.has(eventId))
        this.#again.set(eventId, (this.#again.get(eventId) ?? 1) + 1);
    } else if (this.#ids.size < this.idsKept) this.#ids.add(eventId);
    else this.#isFull = true;
  }

  /** It may be newer than our look at the log. */
  async #isAbsent(stream: string): Promise<boolean> {
    if (this.#streams.has(stream)) return false;
    return (await this.store.readStream(stream, { limit: 1 })).length === 0;
  }
}
