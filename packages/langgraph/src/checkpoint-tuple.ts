import {
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  compareWritesSortKeys,
  type SerializerProtocol,
  writesSortKey,
} from '@langchain/langgraph-checkpoint';

import { type OutputWindow } from './output-window.js';
import { checkpointOf, type StoredWrites } from './stored-checkpoint.js';
import { type CheckpointEntry } from './thread-history.js';
import { decode, type EncodedValue, type Parts } from './value-codec.js';

/** Converts stored checkpoints to the tuples of LangGraph. */
export class TupleReader {
  constructor(private readonly serde: SerializerProtocol) {}

  async metadata({ stored, window }: CheckpointEntry): Promise<CheckpointMetadata> {
    return (await this.#decode(stored.metadata, window)) as CheckpointMetadata;
  }

  async tuple(entry: CheckpointEntry, threadId: string): Promise<CheckpointTuple> {
    const { stored, window } = entry;
    const [checkpoint, metadata, channelValues, pendingWrites] = await Promise.all([
      this.#decode(stored.checkpoint, window),
      this.metadata(entry),
      this.#values(entry),
      this.pendingWrites(entry),
    ]);
    return {
      config: configOf(threadId, stored.ns, stored.id),
      checkpoint: {
        ...(checkpoint as Checkpoint),
        id: stored.id,
        channel_values: channelValues,
        channel_versions: { ...stored.versions },
      },
      metadata,
      pendingWrites,
      ...(stored.parent !== undefined && {
        parentConfig: configOf(threadId, stored.ns, stored.parent),
      }),
    };
  }

  /** In the order in which a running graph applies them. */
  pendingWrites({ writes, window }: CheckpointEntry): Promise<CheckpointPendingWrite[]> {
    const sorted = [...currentWrites(writes)].toSorted((a, b) =>
      compareWritesSortKeys(a.key, b.key),
    );
    return Promise.all(
      sorted.map(async ({ key: [, task], channel, value }): Promise<CheckpointPendingWrite> => {
        return [task, channel, await this.#decode(value, window)];
      }),
    );
  }

  async #values({ stored, window }: CheckpointEntry): Promise<Record<string, unknown>> {
    const unchanged = Object.entries(stored.held).map(async ([channel, version]) => {
      const holder = checkpointOf(await window.at(version))?.stored.values[channel];
      if (!holder) throw new Error(`Channel ${channel} has no value at version ${version}.`);
      return [channel, await this.#decode(holder, window)] as const;
    });
    const own = Object.entries(stored.values).map(
      async ([channel, value]) => [channel, await this.#decode(value, window)] as const,
    );
    return Object.fromEntries(await Promise.all([...unchanged, ...own]));
  }

  #decode(value: EncodedValue, window: OutputWindow): Promise<unknown> {
    return decode(this.serde, value, partsOf(window));
  }
}

export function configOf(threadId: string, namespace: string, checkpointId: string) {
  return {
    configurable: {
      thread_id: threadId,
      checkpoint_ns: namespace,
      checkpoint_id: checkpointId,
    },
  };
}

function partsOf(window: OutputWindow): Pick<Parts, 'load'> {
  return { load: async (version) => (await window.at(version)).output };
}

/** A repeated write counts once. A special write, whose index is negative, replaces the earlier one. */
function currentWrites(stored: readonly StoredWrites[]) {
  const current = new Map<
    string,
    Readonly<{ key: ReturnType<typeof writesSortKey>; channel: string; value: EncodedValue }>
  >();
  for (const { task, path, writes } of stored)
    for (const [index, channel, value] of writes) {
      const key = JSON.stringify([task, index]);
      if (index >= 0 && current.has(key)) continue;
      current.set(key, { key: writesSortKey(path, task, index), channel, value });
    }
  return current.values();
}

export function matches(
  metadata: CheckpointMetadata,
  filter: Readonly<Record<string, unknown>>,
): boolean {
  const members = new Map(Object.entries(metadata));
  return Object.entries(filter).every(
    ([name, value]) => JSON.stringify(members.get(name)) === JSON.stringify(value),
  );
}
