import {
  type EventStore,
  type StoredEvent,
  VersionConflictError,
  encodedSize,
} from '#event-sourcing';

import { CheckedChains } from './checked-chains.js';
import { ForeignTargetError, SameStoreError, TargetWrittenError } from './copy-errors.js';
import { LogCursor } from './log-cursor.js';

export type CopyPhase = 'comparing' | 'copying';

export type CopyReport = Readonly<{
  from: string;
  to: string;
  streams: number;
  /** The number of events in the source, and so in the target. */
  events: number;
  /** The number of events that the target did not contain before. */
  copied: number;
  /** The UTF-8 bytes of the copied data, metadata and types. */
  bytes: number;
  /** False if the source grew faster than it was copied; another copy is then needed. */
  caughtUp: boolean;
}>;

type CopyOptions = Readonly<{
  from: EventStore;
  to: EventStore;
  signal: AbortSignal;
  progress?: ((phase: CopyPhase, events: number) => void) | undefined;
}>;

/** The maximum number of events per batch; small, for frequent progress, short waits and little memory. */
const maxAtOnce = 200;
const maxBytesAtOnce = 4 * 1_048_576;
const appendLimitMs = 60_000;
/** Each round copies the events that arrived during the round before. */
const maxRounds = 10;

/**
 * Makes the log of the target equal to that of the source: the same streams, versions, ids and texts in the same order. Compares the
 * events that the target has already, appends the others, and reads them back for comparison. So each event is compared once per copy,
 * even after interruptions. Checks every hash chain of the source. The source may be written to during the copy; new events are copied
 * too. The progress of a copy is only in the logs themselves, so an interrupted copy can be repeated.
 *
 * Throws {@link CopyError}, the errors of the port, or the reason of the signal.
 */
export async function copyLog(options: CopyOptions): Promise<CopyReport> {
  const [from, to] = await Promise.all([options.from.identity(), options.to.identity()]);
  if (from === to) throw new SameStoreError(from);
  const source = new LogCursor(options.from);
  const target = new LogCursor(options.to);
  const chains = new CheckedChains();
  const compared = await compareExisting(options, { source, target, chains });
  const rest = await appendRounds(options, { source, target, chains });
  return { from, to, streams: chains.streams, events: compared + rest.copied, ...rest };
}

type CopyState = Readonly<{ source: LogCursor; target: LogCursor; chains: CheckedChains }>;

/** Compares both logs up to the end of the target; returns the number of events. */
async function compareExisting(
  { signal, progress }: CopyOptions,
  { source, target, chains }: CopyState,
): Promise<number> {
  for (let compared = 0; ; compared++) {
    signal.throwIfAborted();
    const stored = await target.peek();
    if (!stored) return compared;
    const event = await source.next();
    if (!event)
      throw new ForeignTargetError(
        stored.stream,
        stored.version,
        'which the source does not contain',
      );
    chains.follow(event);
    expectSame(event, stored);
    await target.next();
    if (compared % maxAtOnce === 0) progress?.('comparing', compared);
  }
}

type AppendCounts = Readonly<{ copied: number; bytes: number }>;

/** Appends in rounds, each up to the head of the source at its start, until the source has no new events. */
async function appendRounds(
  options: CopyOptions,
  state: CopyState,
): Promise<AppendCounts & { caughtUp: boolean }> {
  let [copied, bytes] = [0, 0];
  for (let round = 0; round < maxRounds; round++) {
    const end = await options.from.head();
    if (state.source.hasPassed(end)) return { copied, bytes, caughtUp: true };
    while (!state.source.hasPassed(end)) {
      const batch = await appendSome(options, state);
      if (batch.copied === 0)
        throw new Error('the source does not return all events up to its head');
      copied += batch.copied;
      bytes += batch.bytes;
      options.progress?.('copying', copied);
    }
  }
  return { copied, bytes, caughtUp: false };
}

/** Appends a batch of the next events run by run, and reads it back. */
async function appendSome(
  options: CopyOptions,
  { source, target, chains }: CopyState,
): Promise<AppendCounts> {
  const batch = await appendRuns(options, source, chains);
  for (const event of batch) {
    const stored = await target.next();
    if (!stored) throw new TargetWrittenError(event.stream, 'its log is shorter than it was');
    expectReadBack(event, stored);
  }
  return { copied: batch.length, bytes: batch.reduce((sum, event) => sum + encodedSize(event), 0) };
}

async function appendRuns(
  { to, signal }: CopyOptions,
  source: LogCursor,
  chains: CheckedChains,
): Promise<StoredEvent[]> {
  const batch: StoredEvent[] = [];
  for (let bytes = 0; batch.length < maxAtOnce && bytes < maxBytesAtOnce;) {
    signal.throwIfAborted();
    const run = await source.nextRun(maxAtOnce);
    if (run.length === 0) break;
    for (const event of run) chains.follow(event);
    await append(to, run, signal);
    batch.push(...run);
    bytes += run.reduce((sum, event) => sum + encodedSize(event), 0);
  }
  return batch;
}

async function append(
  to: EventStore,
  run: readonly StoredEvent[],
  signal: AbortSignal,
): Promise<void> {
  const [first] = run;
  if (!first) return;
  const { stream, version } = first;
  const events = run.map(({ eventId, type, data, metadata }) => ({
    eventId,
    type,
    data,
    metadata,
  }));
  try {
    await to.append(stream, events, version === 1 ? 'no-stream' : version - 1, {
      timeoutMs: appendLimitMs,
      signal,
    });
  } catch (error) {
    if (error instanceof VersionConflictError) throw new TargetWrittenError(stream, error);
    throw error;
  }
}

/** Checks an event that was just appended: a difference means that another process wrote to the target. */
function expectReadBack(event: StoredEvent, stored: StoredEvent): void {
  try {
    expectSame(event, stored);
  } catch (error) {
    throw new TargetWrittenError(stored.stream, error);
  }
}

/** Throws unless the events are equal byte for byte. */
function expectSame(event: StoredEvent, stored: StoredEvent): void {
  const { stream, version } = stored;
  if (event.stream !== stream || event.version !== version)
    throw new ForeignTargetError(
      stream,
      version,
      `but the source contains "${event.stream}" version ${event.version} there`,
    );
  const differing = (['eventId', 'type', 'data', 'metadata'] as const).find(
    (member) => event[member] !== stored[member],
  );
  if (differing)
    throw new ForeignTargetError(stream, version, `whose ${differing} differs from the source`);
}
