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

/** Undefined where the stream is not found; throws where it is tombstoned. */
export function readStream(view: LogView, read: StreamRead): Iterable<LogRecord> | undefined {
  const { stream, from, direction, count } = read;
  if (direction === 'backwards')
    return isReadable(view, stream) ? backwards(view, read) : undefined;
  if (from === 'end') throw invalidRevision();
  return isReadable(view, stream) ? forwards(view, { stream, from, count }) : undefined;
}

/** IndexReader.cs: a stream without events and a soft-deleted one are the same to a reader. */
export function isReadable(view: LogView, stream: string): boolean {
  const last = view.lastRevision(stream);
  if (last === int64Max) throw streamDeleted(stream);
  return last >= 0n && !view.isSoftDeleted(stream);
}

/** AllReader.cs: from a position on, that one included, forwards; what ends at it or before, backwards. */
export function* readAll(view: LogView, read: AllRead): Iterable<LogRecord> {
  const { from, direction, count, filter } = read;
  let left = count;
  const isForwards = direction === 'forwards';
  const start = startIndex(view, from, isForwards);
  // A read ends where the log ended when it began.
  const end = isForwards ? view.size : -1;
  for (let at = start; at !== end; at += isForwards ? 1 : -1) {
    const record = view.at(at);
    if (!record || !filter(record)) continue;
    // Enumerator.ReadAllForwardsFiltered.cs: only the event behind the last one ends it.
    if (left === 0) return;
    left -= 1;
    yield record;
  }
}

/** Index of the first record at or after the position. Throws where a record cannot begin there. */
export function indexAtOrAfter(view: LogView, position: Position, isSubscription = false): number {
  // Beyond the beginning of the last record a reader finds the end of the log, wherever it looks.
  if (position.commit > BigInt(view.at(view.size - 1)?.position ?? -1)) return view.size;
  if (!view.isBoundary(position.commit)) throw invalidPosition(isSubscription);
  const index = view.countBefore(position.commit);
  const record = view.at(index);
  return record && isAfter(position, positionOf(record)) ? index + 1 : index;
}

/** Follows a link, `revision@stream` in an event of type `$>`; undefined where its target is gone. */
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
  // A record that ends at the commit position is passed over where the prepare position lies before its end.
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
 * Enumerator.ReadStreamBackwards.cs over IndexReader.cs: from a revision above the last, pages with nothing in them
 * are skipped until the last event is reached, so such a read gives the last events.
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

/** Undefined where the record is older than the $maxAge of its stream at this moment. */
function youngRecord(view: LogView, stream: string, revision: bigint): LogRecord | undefined {
  const record = view.record(stream, revision);
  const { maxAgeSeconds } = view.metadata(stream);
  const isOld =
    maxAgeSeconds !== undefined && record && record.createdAt < Date.now() - maxAgeSeconds * 1000;
  return isOld ? undefined : record;
}
