/** One record of the transaction log. Commit and prepare position are the same for everything written over gRPC. */
export type LogRecord = Readonly<{
  /** Place in the log, counted from 0. */
  index: number;
  /** Byte offset of the record. The next one begins at `end`. */
  position: number;
  end: number;
  stream: string;
  revision: bigint;
  id: string;
  type: string;
  isJson: boolean;
  data: Uint8Array;
  metadata: Uint8Array;
  /** Milliseconds since 1970. */
  createdAt: number;
}>;

export type NewEvent = Pick<LogRecord, 'id' | 'type' | 'isJson' | 'data' | 'metadata'>;

/** A position in $all. Not every one is that of an event: the server makes some with a prepare position of 0. */
export type Position = Readonly<{ commit: bigint; prepare: bigint }>;

export const int64Max = 2n ** 63n - 1n;

/** The records that no read of $all shows (EventFilter.cs, DefaultAllFilter). */
export const hiddenStream = '$epoch-information';

const metaPrefix = '$$';

export function metaStreamOf(stream: string): string {
  return metaPrefix + stream;
}

/** Undefined where it is no metadata stream. */
export function originalStreamOf(stream: string): string | undefined {
  return stream.startsWith(metaPrefix) ? stream.slice(metaPrefix.length) : undefined;
}

export function positionOf({ position }: LogRecord): Position {
  return { commit: BigInt(position), prepare: BigInt(position) };
}

export function isAfter(a: Position, b: Position): boolean {
  return a.commit > b.commit || (a.commit === b.commit && a.prepare > b.prepare);
}

/** Event.SizeOnDisk as 24.10.4 and later count it: what the limit on one append adds up. */
export function sizeOnDisk({ type, data, metadata }: NewEvent): number {
  return data.length + metadata.length + 2 * type.length;
}
