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
  /** All that the source holds, and so the target. */
  events: number;
  /** Of these: what the target did not hold before. */
  copied: number;
  /** UTF-8 bytes of data, metadata and types copied. */
  bytes: number;
  /** False if the source is written to faster than it is copied: another copy finds more. */
  caughtUp: boolean;
}>;

type Copying = Readonly<{
  from: EventStore;
  to: EventStore;
  signal: AbortSignal;
  progress?: ((phase: CopyPhase, events: number) => void) | undefined;
}>;

/** So that progress is seen, an answer waited for is that of little work, and little is held in memory. */
const maxAtOnce = 200;
const maxBytesAtOnce = 4 * 1_048_576;
const appendLimitMs = 60_000;
/** What has come while one round was copied is the next round. */
const maxRounds = 10;

/**
 * Brings the target's log to be the source's: the same streams, versions, ids and texts in the same order. What the
 * target holds already is compared, what it lacks is appended, and that is read back and compared as well, so each
 * event is compared once however often the copy was broken off. Every hash chain of the source is followed. The
 * source may be written to meanwhile; what has come by the end is copied. Nothing but the logs says how far a copy is.
 *
 * Throws {@link CopyError}, the port's errors, or the signal's reason.
 */
export async function copyLog(copying: Copying): Promise<CopyReport> {
  const [from, to] = await Promise.all([copying.from.identity(), copying.to.identity()]);
  if (from === to) throw new SameStoreError(from);
  const source = new LogCursor(copying.from);
  const target = new LogCursor(copying.to);
  const chains = new CheckedChains();
  const held = await compareHeld(copying, { source, target, chains });
  const rest = await appendRounds(copying, { source, target, chains });
  return { from, to, streams: chains.streams, events: held + rest.copied, ...rest };
}

type Site = Readonly<{ source: LogCursor; target: LogCursor; chains: CheckedChains }>;

/** Walks both logs up to the end of the target; how many events that were. */
async function compareHeld(
  { signal, progress }: Copying,
  { source, target, chains }: Site,
): Promise<number> {
  for (let held = 0; ; held++) {
    signal.throwIfAborted();
    const there = await target.peek();
    if (!there) return held;
    const event = await source.next();
    if (!event)
      throw new ForeignTargetError(there.stream, there.version, 'which the source does not hold');
    chains.follow(event);
    expectSame(event, there);
    await target.next();
    if (held % maxAtOnce === 0) progress?.('comparing', held);
  }
}

type Appended = Readonly<{ copied: number; bytes: number }>;

/** Up to where the source ended when a round began, until it has not gone on meanwhile. */
async function appendRounds(
  copying: Copying,
  site: Site,
): Promise<Appended & { caughtUp: boolean }> {
  let [copied, bytes] = [0, 0];
  for (let round = 0; round < maxRounds; round++) {
    const end = await copying.from.head();
    if (site.source.hasPassed(end)) return { copied, bytes, caughtUp: true };
    while (!site.source.hasPassed(end)) {
      const some = await appendSome(copying, site);
      if (some.copied === 0) throw new Error('the source does not show all events up to its head');
      copied += some.copied;
      bytes += some.bytes;
      copying.progress?.('copying', copied);
    }
  }
  return { copied, bytes, caughtUp: false };
}

/** Some of the next events: appended run by run, then read back. */
async function appendSome(copying: Copying, { source, target, chains }: Site): Promise<Appended> {
  const some = await appendRuns(copying, source, chains);
  for (const event of some) {
    const there = await target.next();
    if (!there) throw new TargetWrittenError(event.stream, 'its log is shorter than it was');
    expectReadBack(event, there);
  }
  return { copied: some.length, bytes: some.reduce((sum, event) => sum + encodedSize(event), 0) };
}

async function appendRuns(
  { to, signal }: Copying,
  source: LogCursor,
  chains: CheckedChains,
): Promise<StoredEvent[]> {
  const some: StoredEvent[] = [];
  for (let bytes = 0; some.length < maxAtOnce && bytes < maxBytesAtOnce;) {
    signal.throwIfAborted();
    const run = await source.nextRun(maxAtOnce);
    if (run.length === 0) break;
    for (const event of run) chains.follow(event);
    await append(to, run, signal);
    some.push(...run);
    bytes += run.reduce((sum, event) => sum + encodedSize(event), 0);
  }
  return some;
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

/** What was appended a moment ago: anything else there came from somebody else. */
function expectReadBack(event: StoredEvent, there: StoredEvent): void {
  try {
    expectSame(event, there);
  } catch (error) {
    throw new TargetWrittenError(there.stream, error);
  }
}

/** Byte for byte. */
function expectSame(event: StoredEvent, there: StoredEvent): void {
  const { stream, version } = there;
  if (event.stream !== stream || event.version !== version)
    throw new ForeignTargetError(
      stream,
      version,
      `where the source holds "${event.stream}" version ${event.version}`,
    );
  const differing = (['eventId', 'type', 'data', 'metadata'] as const).find(
    (member) => event[member] !== there[member],
  );
  if (differing)
    throw new ForeignTargetError(stream, version, `whose ${differing} is not that of the source`);
}
