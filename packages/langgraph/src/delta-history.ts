import { type CheckpointTuple, type DeltaChannelHistory } from '@langchain/langgraph-checkpoint';

import { type CheckpointEntry } from './thread-history.js';

/**
 * Returns the writes of the ancestors of a checkpoint to each channel, oldest first, since the nearest ancestor with a value of
 * the channel. `ancestors` come nearest first; only the necessary ones are read.
 */
export async function collectDeltaHistory(
  ancestors: AsyncIterable<CheckpointTuple>,
  channels: readonly string[],
): Promise<Record<string, DeltaChannelHistory>> {
  const histories = new Map<string, DeltaChannelHistory>();
  for (const channel of channels) histories.set(channel, { writes: [] });
  const incomplete = new Map(histories);
  for await (const { checkpoint, pendingWrites = [] } of ancestors) {
    for (const [channel, history] of incomplete) {
      history.writes.unshift(...pendingWrites.filter(([, written]) => written === channel));
      if (!Object.hasOwn(checkpoint.channel_values, channel)) continue;
      history.seed = checkpoint.channel_values[channel];
      incomplete.delete(channel);
    }
    if (incomplete.size === 0) break;
  }
  return Object.fromEntries(histories);
}

/** Yields the ancestors of a checkpoint from `entries`, which come newest first. An empty `id` is the newest checkpoint. */
export async function* ancestorsOf(
  entries: AsyncIterable<CheckpointEntry>,
  id: string,
): AsyncGenerator<CheckpointEntry> {
  let isAncestor = false;
  let next: string | undefined = id;
  for await (const entry of entries) {
    if (next !== '' && entry.stored.id !== next) continue;
    if (isAncestor) yield entry;
    isAncestor = true;
    next = entry.stored.parent;
    if (next === undefined) return;
  }
}
