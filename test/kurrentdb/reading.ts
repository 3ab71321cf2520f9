import {
  invalidPosition,
  invalidRevision,
  positionBeyondEnd,
  streamDeleted,
} from './grpc-errors.js';
import {
  type LogRecord,
  type Position,
  hiddenStream,
  int64Max,
  isAfter,
  positionOf,
} from './log-record.js';
import { type LogView } from './log-view.js';
import { type ResolvedRecord } from './wire.js';

export type Direction = 'forwards' | 'backwards';
export type EventFilter = (record: LogRecord) => boolean;

export type StreamRead = Readonly<{
  stream: string;
  from: bigint | 'start' | 'end';
  direction: Direction;
  count: number;
}>;

export type AllRead = Readonly<{
  from: Position | 'start' | 'end';
  direction: Direction;
  count: number;
  filter: EventFilter;
}>;

export const isShown: EventFilter = ({ stream }) => stream !== hiddenStream;

/** Undefined if the stream is not found; throws if it has a tombstone. */
export function readStream(view: LogView, read: StreamRead): Iterable<LogRecord> | undefined {
  const { stream, from, direction, count } = read;
  if (direction === 'backwards')
    return isReadable(view, stream) ? backwards(view, read) : undefined;
  if (from === 'end') throw invalidRevision();
  return isReadable(view, stream) ? forwards(view, { stream, from, count }) : undefined;
}

/** IndexReader.cs: for readers, a stream without events and a soft-deleted one are the same. */
export function isReadable(view: LogView, stream: string): boolean {
  const last = view.lastRevision(stream);
  if (last === int64Max) throw streamDeleted(stream);
  return last >= 0n && !view.isSoftDeleted(stream);
}

/** AllReader.cs: forwards from a position, inclusive; backwards from the events that end at it or before. */
export function* readAll(view: LogView, read: AllRead): Iterable<LogRecord> {
  const { from, direction, count, filter } = read;
  let left = count;
  const isForwards = direction === 'forwards';
  const start = startIndex(view, from, isForwards);
  // A read ends at the end of the log at its start.
  const end = isForwards ? view.size : -1;
  for (let at = start; at !== end; at += isForwards ? 1 : -1) {
    const record = view.at(at);
    if (!record || !filter(record)) continue;
    // Enumerator.ReadAllForwardsFiltered.cs: only an event after the last requested one ends the read.
    if (left === 0) return;
    left -= 1;
    yield record;
  }
}

/** The index of the first record at or after the position. Throws if no record can begin there. */
export function indexAtOrAfter(view: LogView, position: Position, isSubscription = false): number {
  // After the start of the last record, a reader reaches the end of the log for any position.
  if (position.commit > BigInt(view.at(view.size - 1)?.position ?? -1)) return view.size;
  if (!view.isBoundary(position.commit)) throw invalidPosition(isSubscription);
  const index = view.countBefore(position.commit);
  const record = view.at(index);
  return record && isAfter(position, positionOf(record)) ? index + 1 : index;
}

/** Follows a link, `revision@stream` in an event of type `$>`; undefined if its target does not exist. */
export function resolveLink(view: LogView, record: LogRecord): ResolvedRecord {
  if (record.type !== '$>') return { event: record };
  const [, revision, stream] =
    /^(\d+)@(.*)$/s.exec(Buffer.from(record.data).toString('utf8')) ?? [];
  if (revision === undefined || stream === undefined) return { link: record };
  const isVisible =
    !view.isSoftDeleted(stream) &&
    view.lastRevision(stream) !== int64Max &&
    BigInt(revision) >= view.firstVisible(stream);
  return { event: isVisible ? view.record(stream, BigInt(revision)) : undefined, link: record };
}

function startIndex(view: LogView, from: AllRead['from'], isForwards: boolean): number {
  if (from === 'start') return isForwards ? 0 : -1;
  if (from === 'end') return isForwards ? view.size : view.size - 1;
  if (isForwards) return indexAtOrAfter(view, from);
  if (from.commit > BigInt(view.end)) throw positionBeyondEnd();
  if (!view.isBoundary(from.commit)) throw invalidPosition(false);
  // A record that ends at the commit position is skipped if the prepare position is before its end.
  return view.countBefore(from.commit) - (from.prepare < from.commit ? 2 : 1);
}

type ForwardsRead = Readonly<{ stream: string; from: bigint | 'start'; count: number }>;

function* forwards(view: LogView, { stream, from, count }: ForwardsRead): Iterable<LogRecord> {
  const first = view.firstVisible(stream);
  const last = view.lastRevision(stream);
  const wanted = from === 'start' ? 0n : from;
  let left = count;
  for (let at = wanted > first ? wanted : first; at <= last && left > 0; at += 1n) {
    const record = youngRecord(view, stream, at);
    if (!record) continue;
    left -= 1;
    yield record;
  }
}

/**
 * Enumerator.ReadStreamBackwards.cs over IndexReader.cs: from a revision above the last one, empty pages are skipped
 * until the last event, so that such a read returns the last events.
 */
function* backwards(view: LogView, { stream, from, count }: StreamRead): Iterable<LogRecord> {
  const first = view.firstVisible(stream);
  const last = view.lastRevision(stream);
  const wanted = from === 'start' ? 0n : from === 'end' ? last : from;
  let left = count;
  for (let at = wanted < last ? wanted : last; at >= first && at >= 0n && left > 0; at -= 1n) {
    const record = youngRecord(view, stream, at);
    if (!record) continue;
    left -= 1;
    yield record;
  }
}

/** Undefined if the record is older than the current $maxAge of its stream. */
function youngRecord(view: LogView, stream: string, revision: bigint): LogRecord | undefined {
  const record = view.record(stream, revision);
  const { maxAgeSeconds } = view.metadata(stream);
  const isOld =
    maxAgeSeconds !== undefined && record && record.createdAt < Date.now() - maxAgeSeconds * 1000;
  return isOld ? undefined : record;
}
