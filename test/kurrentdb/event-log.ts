import { type LogRecord, type NewEvent } from './log-record.js';

/** Header, length prefix and suffix of a record: what makes positions byte offsets with gaps. */
const overhead = 86;

/** The one log that all nodes share, in memory. */
export class EventLog {
  readonly records: LogRecord[] = [];
  readonly #streams = new Map<string, LogRecord[]>();
  readonly #listeners = new Set<(record: LogRecord) => void>();

  get end(): number {
    return this.records.at(-1)?.end ?? 0;
  }

  /** In the order of their revisions, which are their places here; a tombstone is the last. */
  ofStream(stream: string): readonly LogRecord[] {
    return this.#streams.get(stream) ?? [];
  }

  write(stream: string, revision: bigint, event: NewEvent): LogRecord {
    const position = this.end;
    const size =
      overhead +
      2 * (stream.length + event.type.length) +
      event.data.length +
      event.metadata.length;
    const record = {
      ...event,
      index: this.records.length,
      position,
      end: position + size,
      stream,
      revision,
      createdAt: Date.now(),
    };
    this.records.push(record);
    const ofStream = this.#streams.get(stream);
    if (ofStream) ofStream.push(record);
    else this.#streams.set(stream, [record]);
    for (const listener of this.#listeners) listener(record);
    return record;
  }

  /** Calls back after each write, until what it returns is called. */
  onWrite(listener: (record: LogRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
