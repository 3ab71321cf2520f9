import { type EventLog } from './event-log.js';
import { type LogRecord, int64Max, metaStreamOf, originalStreamOf } from './log-record.js';

export type StreamMetadata = Readonly<{
  truncateBefore?: bigint | undefined;
  maxCount?: number | undefined;
  maxAgeSeconds?: number | undefined;
  acl?: Readonly<Record<string, unknown>> | undefined;
}>;

/** A prefix of the log: all written records, the committed ones, or those that a lagging node has. */
export class LogView {
  constructor(
    private readonly log: EventLog,
    private readonly limit: () => number,
  ) {}

  get size(): number {
    return Math.min(this.limit(), this.log.records.length);
  }

  at(index: number): LogRecord | undefined {
    return index < this.limit() ? this.log.records[index] : undefined;
  }

  /** The number of records before the byte offset, which is the index of the first record at or after it. */
  countBefore(position: bigint): number {
    return firstIndex(
      this.size,
      (index) => this.at(index),
      ({ position: at }) => at >= position,
    );
  }

  /** The start of a record, or the end of the log. */
  isBoundary(position: bigint): boolean {
    const next = this.at(this.countBefore(position));
    return next ? BigInt(next.position) === position : position === BigInt(this.end);
  }

  get end(): number {
    return this.at(this.size - 1)?.end ?? 0;
  }

  /**
   * -1n for a stream without events; int64 max for a stream with a tombstone, and for the metadata of such a stream.
   */
  lastRevision(stream: string): bigint {
    // IndexReader.cs: the metadata stream of a deleted stream is deleted too.
    const original = originalStreamOf(stream);
    if (original && this.lastRevision(original) === int64Max) return int64Max;
    return this.lastWrittenRevision(stream);
  }

  /** The metadata of the last write to the stream, regardless of the state of the stream that it describes. */
  lastWrittenRevision(stream: string): bigint {
    return this.#ofStream(stream).at(-1)?.revision ?? -1n;
  }

  /** Ignores truncation; never returns the tombstone. */
  record(stream: string, revision: bigint): LogRecord | undefined {
    const record = this.log.ofStream(stream)[Number(revision)];
    return record && record.index < this.limit() && record.revision === revision
      ? record
      : undefined;
  }

  tombstone(stream: string): LogRecord | undefined {
    const last = this.#ofStream(stream).at(-1);
    return last?.revision === int64Max ? last : undefined;
  }

  metadata(stream: string): StreamMetadata {
    // IndexReader.cs: every metadata stream behaves as if its $maxCount were 1.
    if (originalStreamOf(stream)) return { maxCount: 1 };
    const last = this.#ofStream(metaStreamOf(stream)).at(-1);
    return last ? parseMetadata(last.data) : {};
  }

  isSoftDeleted(stream: string): boolean {
    return this.metadata(stream).truncateBefore === int64Max;
  }

  /** The first revision that reads return. */
  firstVisible(stream: string): bigint {
    const { truncateBefore = 0n, maxCount } = this.metadata(stream);
    const byCount = maxCount === undefined ? 0n : this.lastRevision(stream) - BigInt(maxCount) + 1n;
    return byCount > truncateBefore ? byCount : truncateBefore;
  }

  #ofStream(stream: string): readonly LogRecord[] {
    const limit = this.limit();
    const records = this.log.ofStream(stream);
    const last = records.at(-1);
    if (!last || last.index < limit) return records;
    return records.slice(
      0,
      firstIndex(
        records.length,
        (index) => records[index],
        ({ index }) => index >= limit,
      ),
    );
  }
}

function parseMetadata(data: Uint8Array): StreamMetadata {
  const text = new TextDecoder().decode(data);
  try {
    const { $maxCount, $maxAge, $acl }: Record<string, unknown> = JSON.parse(text);
    // JSON.parse would round the 64 bits of a soft delete.
    const truncateBefore = /"\$tb"\s*:\s*(\d+)/.exec(text)?.[1];
    return {
      truncateBefore: truncateBefore === undefined ? undefined : BigInt(truncateBefore),
      maxCount: typeof $maxCount === 'number' ? $maxCount : undefined,
      maxAgeSeconds: typeof $maxAge === 'number' ? $maxAge : undefined,
      acl: typeof $acl === 'object' && $acl !== null ? { ...$acl } : undefined,
    };
  } catch {
    // Like the server: metadata that is not a JSON object is ignored.
    return {};
  }
}

function firstIndex(
  size: number,
  at: (index: number) => LogRecord | undefined,
  holds: (record: LogRecord) => boolean,
): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const record = at(middle);
    if (!record || holds(record)) high = middle;
    else low = middle + 1;
  }
  return low;
}
