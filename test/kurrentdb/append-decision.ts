import { int64Max } from './log-record.js';

export type ExpectedRevision = bigint | 'any' | 'no_stream' | 'stream_exists';

export type StreamState = Readonly<{
  /** -1n means no events; int64 max means a tombstone. */
  current: bigint;
  isSoftDeleted: boolean;
  hasMetadata: boolean;
  idAt(revision: bigint): string | undefined;
  /** The revision at which the id was written to this stream, if it is in the server's cache. */
  recentRevision(id: string): bigint | undefined;
}>;

export type AppendDecision =
  | Readonly<{ outcome: 'write'; isUndelete: boolean }>
  | Readonly<{ outcome: 'already-written'; lastRevision: bigint }>
  | Readonly<{ outcome: 'wrong-expected-version' }>
  | Readonly<{ outcome: 'stream-deleted' }>;

const wrongVersion: AppendDecision = { outcome: 'wrong-expected-version' };

/** IndexWriter.cs, CheckCommit. The ids are those of the events to append. */
export function decideAppend(
  state: StreamState,
  expected: ExpectedRevision,
  ids: readonly string[],
): AppendDecision {
  if (state.current === int64Max) return { outcome: 'stream-deleted' };
  if (expected === 'stream_exists') {
    if (state.isSoftDeleted) return { outcome: 'stream-deleted' };
    if (state.current < 0n && !state.hasMetadata) return wrongVersion;
  }
  if (expected === 'any' || expected === 'stream_exists') return decideByRecentIds(state, ids);
  const revision = expected === 'no_stream' ? -1n : expected;
  if (revision > state.current) return wrongVersion;
  if (revision === state.current) return write(state);
  return decideByWrittenIds(state, expected, ids);
}

/** Weak idempotency: a cache of recent ids, which may be lost. */
function decideByRecentIds(state: StreamState, ids: readonly string[]): AppendDecision {
  let lastRevision: bigint | undefined;
  for (const id of ids) {
    const revision = state.recentRevision(id);
    if (revision === undefined) return lastRevision === undefined ? write(state) : wrongVersion;
    lastRevision = revision;
  }
  return lastRevision === undefined ? write(state) : { outcome: 'already-written', lastRevision };
}

/** Strong idempotency: the same ids at the same revisions, regardless of later events. */
function decideByWrittenIds(
  state: StreamState,
  expected: bigint | 'no_stream',
  ids: readonly string[],
): AppendDecision {
  const before = expected === 'no_stream' ? -1n : expected;
  const differing = ids.findIndex((id, at) => state.idAt(before + 1n + BigInt(at)) !== id);
  if (ids.length === 0 || differing > 0) return wrongVersion;
  if (differing < 0)
    return { outcome: 'already-written', lastRevision: before + BigInt(ids.length) };
  return expected === 'no_stream' && state.isSoftDeleted ? write(state) : wrongVersion;
}

function write({ isSoftDeleted }: StreamState): AppendDecision {
  return { outcome: 'write', isUndelete: isSoftDeleted };
}
