import { type LogRecord, type NewEvent } from './log-record.js';

/** Size of the header, length prefix and suffix of a record, because of which positions are byte offsets with gaps. */
const overhead = 86;

/**
 * The one log that all nodes share, in memory. The writer decides on all records; reads return the committed ones. A
 * record is committed {@link EventLog.commitLatencyMs} after it was written.
 */
export class EventLog {
  readonly records: LogRecord[] = [];
  readonly #streams = new Map<string, LogRecord[]>();
  readonly #listeners = new Set<(record: LogRecord) => void>();
  #committed = 0;
  /** The records written in this turn of the event loop. */
  #turn: { size: number } | undefined;
  #commitLatencyMs = 0;

  get end(): number {
    return this.records.at(-1)?.end ?? 0;
  }

  /** The number of records that are flushed, replicated and indexed. */
  get committed(): number {
    return this.#committed;
  }

  isCommitted(position: number): boolean {
    return position < (this.records[this.#committed - 1]?.end ?? 0);
  }

  get commitLatencyMs(): number {
    return this.#commitLatencyMs;
  }

  /** With 0, all records are committed at once, including the pending ones. */
  set commitLatencyMs(milliseconds: number) {
    this.#commitLatencyMs = milliseconds;
    if (milliseconds === 0) this.#commit(this.records.length);
  }

  /** In the order of their revisions, which are the indexes of this list; a tombstone is the last. */
  ofStream(stream: string): readonly LogRecord[] {
    return this.#streams.get(stream) ?? [];
  }

  write(stream: string, revision: bigint, event: NewEvent): LogRecord {
    const position = this.end;
    const bytes =
      overhead +
      2 * (stream.length + event.type.length) +
      event.data.length +
      event.metadata.length;
    const record = {
      ...event,
      index: this.records.length,
      position,
      end: position + bytes,
      stream,
      revision,
      createdAt: Date.now(),
    };
    this.records.push(record);
    const ofStream = this.#streams.get(stream);
    if (ofStream) ofStream.push(record);
    else this.#streams.set(stream, [record]);
    const size = this.records.length;
    if (this.#commitLatencyMs === 0) this.#commit(size);
    else this.#commitLater(size);
    return record;
  }

  /** The records of one turn are committed together. */
  #commitLater(size: number): void {
    if (this.#turn) {
      this.#turn.size = size;
      return;
    }
    const turn = { size };
    this.#turn = turn;
    queueMicrotask(() => (this.#turn = undefined));
    setTimeout(() => this.#commit(turn.size), this.#commitLatencyMs);
  }

  /** Resolves when this number of records is committed. */
  async whenCommitted(size: number): Promise<void> {
    if (this.#committed >= size) return;
    const done = Promise.withResolvers<void>();
    const leave = this.onCommit(() => {
      if (this.#committed >= size) done.resolve();
    });
    await done.promise;
    leave();
  }

  /** Calls `listener` after each commit of a record, until the returned function is called. */
  onCommit(listener: (record: LogRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** In the order of the log, regardless of the order in which records became ready. */
  #commit(size: number): void {
    while (this.#committed < size) {
      const record = this.records[this.#committed];
      this.#committed += 1;
      if (record) for (const listener of this.#listeners) listener(record);
    }
  }
}
