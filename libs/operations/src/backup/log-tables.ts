import { randomUUID } from 'node:crypto';

import { type EventStore, type Position } from '#event-sourcing';

import { readLog } from '../log-pages.js';
import { type BackupRow, type BackupTable } from './backup-format.js';

type Columns = BackupTable['columns'];
type Values = Readonly<Record<string, string>>;

/**
 * The log of an event store outside the database, up to its current head, as the rows that it would have in PostgreSQL. Positions
 * are renumbered from 1, so the rows are a new log with a new identity. Holds only the names of streams in memory.
 */
export class LogTables {
  readonly newIdentity = randomUUID();
  readonly #numbers = new Map<string, number>();

  private constructor(
    private readonly store: EventStore,
    private readonly head: Position | 'start',
    /** The identity of the log that is read. */
    readonly identity: string,
  ) {}

  /** The tables contain everything that is acknowledged before the call. */
  static async open(store: EventStore): Promise<LogTables> {
    return new LogTables(store, await store.head(), await store.identity());
  }

  async *events(columns: Columns): AsyncGenerator<BackupRow[]> {
    let position = 0;
    for await (const page of readLog(this.store, this.head))
      yield page.map(({ stream, eventId, version, type, data, metadata }) =>
        toRow(columns, {
          position: String(++position),
          stream_id: String(this.#numberOf(stream)),
          event_id: eventId,
          version: String(version),
          type,
          data,
          metadata,
        }),
      );
  }

  /** The streams of the events; call it after all events were read. */
  streams(columns: Columns): BackupRow[] {
    return [...this.#numbers].map(([stream, number]) =>
      toRow(columns, { stream_id: String(number), stream }),
    );
  }

  #numberOf(stream: string): number {
    const number = this.#numbers.get(stream) ?? this.#numbers.size + 1;
    this.#numbers.set(stream, number);
    return number;
  }
}

function toRow(columns: Columns, values: Values): BackupRow {
  return columns.map(({ name }) => {
    const value = values[name];
    if (value === undefined) throw new Error(`there is no value for the column ${name}`);
    return value;
  });
}
