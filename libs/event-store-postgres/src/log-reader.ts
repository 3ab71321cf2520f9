import { type Pool, type QueryArrayConfig } from 'pg';

import {
  type CallOptions,
  type Position,
  type ReadAll,
  type ReadStream,
  type StoredEvent,
  StoreUnavailableError,
  checkLimit,
  maxReadBytes,
} from '#event-sourcing';
import { backOff, within } from '#event-store-adapter';

import { runStatement } from './run-statement.js';
import { asPosition, countOf } from './position.js';
import { StatementFailedError } from './statement-failure.js';

const maxInteger = 2_147_483_647;

const columns = 'e.position, e.version, e.event_id, e.type, e.data, e.metadata';
const ofStream = `from throughline.events e
  where e.stream_id = (select s.stream_id from throughline.streams s where s.stream = $1)`;

/** Named, so that each connection parses and plans a statement once. */
const statements = {
  forwards: {
    name: 'throughline_read_forwards',
    text: `select ${columns} ${ofStream} and e.version >= $2 order by e.version limit $3`,
  },
  backwards: {
    name: 'throughline_read_backwards',
    text: `select ${columns} ${ofStream} and e.version <= $2 order by e.version desc limit $3`,
  },
  all: {
    name: 'throughline_read_all',
    text: `select ${columns}, (select s.stream from throughline.streams s where s.stream_id = e.stream_id)
      from (
        select l.*, sum(octet_length(l.data) + octet_length(l.metadata)) over (order by l.position)
          - octet_length(l.data) - octet_length(l.metadata) as bytes_before
        from (
          select * from throughline.events where position > $1 order by position limit $2
        ) l
      ) e where e.bytes_before < $3 order by e.position`,
  },
  head: {
    name: 'throughline_head',
    text: 'select coalesce(max(position), 0) from throughline.events',
  },
  identity: { name: 'throughline_identity', text: 'select id from throughline.store_identity' },
} as const;

export class LogReader {
  constructor(
    private readonly pool: Pool,
    private readonly answerLimitMs: number,
  ) {}

  async readStream(
    stream: string,
    { from, direction = 'forwards', limit }: ReadStream,
    options?: CallOptions,
  ): Promise<StoredEvent[]> {
    checkLimit(limit);
    const start = from ?? (direction === 'forwards' ? 1 : maxInteger);
    const values = [stream, clamp(start), limit];
    const rows = await this.#read({ ...statements[direction], values }, options);
    return rows.map((row) => eventOf(row, stream));
  }

  async readAll({ after, limit }: ReadAll, options?: CallOptions): Promise<StoredEvent[]> {
    checkLimit(limit);
    const values = [String(countOf(after)), limit, maxReadBytes];
    const rows = await this.#read({ ...statements.all, values }, options);
    return rows.map((row) => eventOf(row, String(row[6])));
  }

  async head(options?: CallOptions): Promise<Position | 'start'> {
    const [row] = await this.#read(statements.head, options);
    return asPosition(row?.[0]);
  }

  async identity(options?: CallOptions): Promise<string> {
    const [row] = await this.#read(statements.identity, options);
    return String(row?.[0]);
  }

  /** Reads change nothing, so that transient failures are retried until the deadline. */
  #read(statement: Omit<QueryArrayConfig, 'rowMode'>, options?: CallOptions): Promise<unknown[][]> {
    let failure: unknown;
    const late = (): Error =>
      new StoreUnavailableError('PostgreSQL does not answer', { cause: failure });
    return within(options, late, async (over) => {
      for (let attempt = 0; ; attempt++) {
        try {
          return await runStatement(
            this.pool,
            { ...statement, rowMode: 'array' },
            this.answerLimitMs,
          );
        } catch (error) {
          failure = error;
          const lost = error instanceof StatementFailedError && error.kind === 'refused';
          if (lost || over.aborted) throw late();
        }
        await backOff(attempt, over);
      }
    });
  }
}

function eventOf(row: readonly unknown[], stream: string): StoredEvent {
  const [position, version, eventId, type, data, metadata] = row;
  return {
    eventId: String(eventId),
    type: String(type),
    data: String(data),
    metadata: String(metadata),
    stream,
    version: Number(version),
    // The cast is safe: every event has a position of at least 1.
    position: String(position) as Position,
  };
}

function clamp(version: number): number {
  return Math.max(Math.min(version, maxInteger), 0);
}
