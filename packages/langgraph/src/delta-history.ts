import {
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type DeltaChannelHistory,
} from '@langchain/langgraph-checkpoint';

import { type CheckpointEntry } from './thread-history.js';

type Target = Readonly<{
  /** The checkpoint whose ancestors are asked for; empty for the newest one. */
  id: string;
  channels: readonly string[];
}>;

/**
 * What the ancestors of a checkpoint have written to each channel, oldest first, up to the nearest one that holds a value of it.
 * Reads the history of the thread once, newest first.
 */
export async function collectDeltaHistory(
  entries: AsyncIterable<CheckpointEntry>,
  tupleOf: (entry: CheckpointEntry) => Promise<CheckpointTuple>,
  { id, channels }: Target,
): Promise<Record<string, DeltaChannelHistory>> {
  const histories = channels.map((channel) => new ChannelHistory(channel));
  for await (const ancestor of ancestorsOf(entries, id)) {
    const tuple = await tupleOf(ancestor);
    for (const history of histories) history.add(tuple);
    if (histories.every(({ isComplete }) => isComplete)) break;
  }
  return Object.fromEntries(histories.map((history) => [history.channel, history.result()]));
}

/** Nearest first. `id` may be empty, for the newest checkpoint. */
async function* ancestorsOf(entries: AsyncIterable<CheckpointEntry>, id: string) {
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

class ChannelHistory {
  /** Newest first. */
  readonly #writes: CheckpointPendingWrite[] = [];
  #seed: Readonly<{ seed?: unknown }> = {};
  isComplete = false;

  constructor(readonly channel: string) {}

  add({ checkpoint, pendingWrites = [] }: CheckpointTuple): void {
    if (this.isComplete) return;
    const own = pendingWrites.filter(([, channel]) => channel === this.channel);
    this.#writes.push(...own.toReversed());
    if (!Object.hasOwn(checkpoint.channel_values, this.channel)) return;
    this.#seed = { seed: checkpoint.channel_values[this.channel] };
    this.isComplete = true;
  }

  result(): DeltaChannelHistory {
    return { writes: this.#writes.toReversed(), ...this.#seed };
  }
}
