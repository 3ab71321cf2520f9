/** One record of the transaction log. Commit and prepare position are equal for all events written over gRPC. */
export type LogRecord = Readonly<{
  /** The index in the log, from 0. */
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

/** A position in $all. Not each one belongs to an event: the server creates some with a prepare position of 0. */
export type Position = Readonly<{ commit: bigint; prepare: bigint }>;

export const int64Max = 2n ** 63n - 1n;

/** The records that reads of $all omit (EventFilter.cs, DefaultAllFilter). */
export const hiddenStream = '$epoch-information';

const metaPrefix = '$$';

export function metaStreamOf(stream: string): string {
  return metaPrefix + stream;
}

/** Undefined if it is not a metadata stream. */
export function originalStreamOf(stream: string): string | undefined {
  return stream.startsWith(metaPrefix) ? stream.slice(metaPrefix.length) : undefined;
}

export function positionOf({ position }: LogRecord): Position {
  return { commit: BigInt(position), prepare: BigInt(position) };
}

export function isAfter(a: Position, b: Position): boolean {
  return a.commit > b.commit || (a.commit === b.commit && a.prepare > b.prepare);
}

/** Event.SizeOnDisk as in 24.10.4 and later, which the limit of an append sums up. */
export function sizeOnDisk({ type, data, metadata }: NewEvent): number {
  return data.length + metadata.length + 2 * type.length;
}
