import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';

import { type CallSession } from './call-session.js';
import { streamDeleted } from './grpc-errors.js';
import { type LogRecord, type Position, int64Max, isAfter, positionOf } from './log-record.js';
import { type LogView } from './log-view.js';
import { type AllRequest, type StreamRequest, pageSize } from './read-request.js';
import { indexAtOrAfter, isReadable, resolveLink } from './reading.js';
import { toCaughtUp, toCheckpoint, toConfirmation, toReadEvent } from './wire.js';

/** The parts of a node that a subscription uses. */
export type SubscriptionSource = Readonly<{
  view: LogView;
  /** Resolves when subscriptions may deliver: the node answers, and no test delays them. */
  permit(session: CallSession<ReadResp>): Promise<void>;
  /** Resolves when the view may have grown beyond `size` records, or the session has ended. */
  grown(size: number, signal: AbortSignal): Promise<void>;
  /** Throws if the call requires the leader and the node is not the leader; called once, before the history is read. */
  requireLeader(): void;
  /** The number of times that the next event is delivered. */
  takeDeliveries(): number;
  /** Replaces the position of the checkpoint at the end of the history. */
  takeBadCheckpoint(): Position | undefined;
}>;

const beforeAll: Position = { commit: -1n, prepare: -1n };
const beginning: Position = { commit: 0n, prepare: 0n };

/**
 * Enumerator.StreamSubscription.cs: after a revision; ends with the tombstone of the stream. Truncation applies to the
 * history only: live events are delivered regardless of it, including the tombstone.
 */
export async function followStream(
  source: SubscriptionSource,
  session: CallSession<ReadResp>,
  request: StreamRequest,
): Promise<void> {
  const { stream, from } = request;
  const deliver = deliverer(source, session, request);
  await session.send(toConfirmation());
  let next = firstRevision(source.view, stream, from);
  if (next <= source.view.lastRevision(stream)) source.requireLeader();
  while (isReadable(source.view, stream)) {
    const first = source.view.firstVisible(stream);
    if (first > next) next = first;
    const record = source.view.record(stream, next);
    if (!record) break;
    await deliver(record);
    next += 1n;
    session.throwIfEnded();
  }
  await tell(source, session, toCaughtUp());
  for (;;) {
    const { size } = source.view;
    for (let record; (record = source.view.record(stream, next)); next += 1n) {
      await deliver(record);
      session.throwIfEnded();
    }
    const tombstone = source.view.tombstone(stream);
    if (tombstone) await deliver(tombstone);
    if (source.view.lastRevision(stream) === int64Max) throw streamDeleted(stream);
    await source.grown(size, session.signal);
    await source.permit(session);
    session.throwIfEnded();
  }
}

/**
 * Enumerator.AllSubscription.cs and Enumerator.AllSubscriptionFiltered.cs: after a position. With a filter, there is a
 * checkpoint after each interval of considered events, and one before the subscription has caught up, unless it began
 * at the end.
 */
export async function followAll(
  source: SubscriptionSource,
  session: CallSession<ReadResp>,
  request: AllRequest,
): Promise<void> {
  await session.send(toConfirmation());
  const last = source.view.at(source.view.size - 1);
  const end = last ? positionOf(last) : beforeAll;
  const from = request.from === 'start' ? beforeAll : request.from === 'end' ? end : request.from;
  const next = isAfter(end, from)
    ? await catchUp(source, session, { request, from })
    : source.view.size;
  await tell(source, session, toCaughtUp());
  await goLive(source, session, { request, from, next });
}

/** Returns the index of the first record that was not considered. */
async function catchUp(
  source: SubscriptionSource,
  session: CallSession<ReadResp>,
  { request, from }: { request: AllRequest; from: Position },
): Promise<number> {
  const { checkpoints, filter } = request;
  const deliver = deliverer(source, session, request);
  const searchWindow = checkpoints?.searchWindow ?? Infinity;
  const interval = searchWindow * (checkpoints?.multiplier ?? 1);
  let considered = 0;
  let checkpoint = from;
  let next = from === beforeAll ? 0 : indexAtOrAfter(source.view, from, true);
  source.requireLeader();
  for (let pageStart = from === beforeAll ? beginning : from; ;) {
    const view = source.view;
    const page = findPage(view, next, { filter, searchWindow });
    for (const record of page.records) {
      if (!isAfter(positionOf(record), from)) continue;
      await deliver(record);
      session.throwIfEnded();
      checkpoint = positionOf(record);
    }
    // A checkpoint is at the start of the last page, so that the events of that page may be delivered again.
    const isAhead = isAfter(pageStart, checkpoint);
    if (isAhead && page.next > next) checkpoint = pageStart;
    considered += page.next - next;
    next = page.next;
    pageStart = { commit: BigInt(view.at(next)?.position ?? view.end), prepare: 0n };
    if (page.isEnd) {
      if (checkpoint === beforeAll) checkpoint = beginning;
      if (checkpoints)
        await tell(source, session, toCheckpoint(source.takeBadCheckpoint() ?? checkpoint));
      return next;
    }
    if (checkpoints && considered >= interval && checkpoint !== beforeAll) {
      considered %= interval;
      await tell(source, session, toCheckpoint(checkpoint));
    }
  }
}

async function goLive(
  source: SubscriptionSource,
  session: CallSession<ReadResp>,
  { request, from, next }: { request: AllRequest; from: Position; next: number },
): Promise<void> {
  const { checkpoints, filter } = request;
  const deliver = deliverer(source, session, request);
  const interval = checkpoints ? checkpoints.searchWindow * checkpoints.multiplier : Infinity;
  let considered = 0;
  for (let at = next; ; at += 1) {
    await source.grown(at, session.signal);
    await source.permit(session);
    session.throwIfEnded();
    const record = source.view.at(at);
    if (!record) {
      at -= 1;
      continue;
    }
    // The position of a subscription may be after the current end of the log.
    if (!isAfter(positionOf(record), from)) continue;
    if (filter(record)) await deliver(record);
    considered += 1;
    if (considered < interval) continue;
    considered = 0;
    await session.send(toCheckpoint(positionOf(record)));
  }
}

type Page = Readonly<{ records: readonly LogRecord[]; next: number; isEnd: boolean }>;

/** AllReader.cs: until enough events were found or considered, or the log ends. */
function findPage(
  view: LogView,
  start: number,
  { filter, searchWindow }: Pick<AllRequest, 'filter'> & { searchWindow: number },
): Page {
  const records: LogRecord[] = [];
  for (let next = start; ; next += 1) {
    const isFull = records.length >= pageSize || next - start >= searchWindow;
    if (isFull) return { records, next, isEnd: false };
    const record = view.at(next);
    if (!record) return { records, next, isEnd: true };
    if (filter(record)) records.push(record);
  }
}

function deliverer(
  source: SubscriptionSource,
  session: CallSession<ReadResp>,
  { resolvesLinks }: Pick<AllRequest, 'resolvesLinks'>,
): (record: LogRecord) => Promise<void> {
  return async (record) => {
    await source.permit(session);
    const answer = toReadEvent(
      resolvesLinks ? resolveLink(source.view, record) : { event: record },
    );
    for (let left = source.takeDeliveries(); left > 0; left -= 1) await session.send(answer);
  };
}

async function tell(
  source: SubscriptionSource,
  session: CallSession<ReadResp>,
  answer: ReadResp,
): Promise<void> {
  await source.permit(session);
  await session.send(answer);
}

function firstRevision(view: LogView, stream: string, from: StreamRequest['from']): bigint {
  if (from === 'start') return 0n;
  return (from === 'end' ? view.lastRevision(stream) : from) + 1n;
}
