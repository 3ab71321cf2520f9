import { randomUUID } from 'node:crypto';

import { type EventStore, type Position } from '#event-sourcing';

import { readLog } from '../log-pages.js';
import { type BackupRow, type BackupTable } from './backup-format.js';

type Columns = BackupTable['columns'];
type Values = Readonly<Record<string, string>>;

/**
 * The log of an event store outside the database, up to one moment, as the rows it would be in PostgreSQL. Positions
 * are counted anew, from 1, so that the rows are a log of its own with an identity of its own. Keeps the names of
 * streams and nothing of events.
 */
export class LogTables {
  readonly newIdentity = randomUUID();
  readonly #numbers = new Map<string, number>();

  private constructor(
    private readonly store: EventStore,
    private readonly head: Position | 'start',
    /** Of the log that is read. */
    readonly identity: string,
  ) {}

  /** Everything acknowledged by now is in it. */
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

  /** Those of the events, once all of these were read. */
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
    if (value === undefined) throw new Error(`nothing is known to fill the column ${name} with`);
    return value;
  });
}
