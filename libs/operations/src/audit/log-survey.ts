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
  /** The reason if not every event was compared. */
  note: string | null;
}>;

/** Global facts about the log for an audit. Iterate `streams` to the end before calling the other functions. */
type LogSurvey = Readonly<{
  /** The names of all streams, in pages. */
  streams: () => AsyncGenerator<readonly string[]>;
  /** Event ids that are stored more than once. */
  duplicates: () => Promise<Duplicates>;
  /** A context that has rows but no stream in the log. */
  orphan: () => Promise<ContextId | undefined>;
}>;

/** Takes about 100 MB of memory. */
const maxIds = 1_000_000;

/** Surveys by SQL if the log is in this database; otherwise by reading the log. */
export async function openSurvey(
  stores: Readonly<{ db: Kysely<Database>; store: EventStore }>,
  maxStoredIds = maxIds,
): Promise<LogSurvey> {
  const { db, store } = stores;
  if ((await findOwnIdentity(db)) !== (await store.identity()))
    return new ReadSurvey(db, store, maxStoredIds);
  return {
    streams: () => listStreams(db),
    duplicates: async () => ({ found: await findDuplicates(db), note: null }),
    orphan: () => findOrphan(db),
  };
}

/** Stores the names of streams, and a limited number of event ids. */
class ReadSurvey {
  readonly #streams = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #duplicates = new Map<string, number>();
  #isFull = false;

  constructor(
    private readonly db: Kysely<Database>,
    private readonly store: EventStore,
    private readonly maxStoredIds: number,
  ) {}

  async *streams(): AsyncGenerator<readonly string[]> {
    let pending: string[] = [];
    for await (const page of readLog(this.store, await this.store.head())) {
      for (const { stream, eventId } of page) {
        this.#note(eventId);
        if (this.#streams.has(stream)) continue;
        this.#streams.add(stream);
        pending.push(stream);
      }
      for (; pending.length >= streamsPerPage; pending = pending.slice(streamsPerPage))
        yield pending.slice(0, streamsPerPage);
    }
    if (pending.length > 0) yield pending;
  }

  duplicates(): Promise<Duplicates> {
    const found = [...this.#duplicates].map(([eventId, times]) => ({ eventId, times }));
    const note = this.#isFull
      ? `event ids of the first ${this.maxStoredIds} events only: more would not fit into memory`
      : null;
    return Promise.resolve({ found, note });
  }

  async orphan(): Promise<ContextId | undefined> {
    for await (const page of listProjectedContexts(this.db))
      for (const id of page) if (await this.#isAbsent(contextStream(id))) return id;
    return undefined;
  }

  /** Duplicates of stored ids are found even after the limit is reached. */
  #note(eventId: string): void {
    if (this.#ids.has(eventId)) {
      if (this.#duplicates.size < maxDuplicates || this.#duplicates.has(eventId))
        this.#duplicates.set(eventId, (this.#duplicates.get(eventId) ?? 1) + 1);
    } else if (this.#ids.size < this.maxStoredIds) this.#ids.add(eventId);
    else this.#isFull = true;
  }

  /** Reads the stream, because it may be newer than the survey. */
  async #isAbsent(stream: string): Promise<boolean> {
    if (this.#streams.has(stream)) return false;
    return (await this.store.readStream(stream, { limit: 1 })).length === 0;
  }
}
