import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  getCheckpointId,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';

import { type Client } from './context-log.js';
import { configOf, matches, TupleReader } from './checkpoint-tuple.js';
import { ancestorsOf, collectDeltaHistory } from './delta-history.js';
import { requireThread, type RunConfig, threadLocation } from './thread-location.js';
import { type CheckpointEntry, readHead, readHistory } from './thread-history.js';
import { Threads } from './threads.js';
import { encodeAll, type SerializedValue, serialize } from './value-codec.js';

export type ThroughlineSaverOptions = Readonly<{
  client: Client;
  /** The prefix of the ids of the contexts; `langgraph.` by default. Savers with the same prefix share their threads. */
  prefix?: string;
  serde?: SerializerProtocol;
}>;

/** Above this number the saver treats every thread as read, so that the set stays small. */
const maxRead = 1_000;

/** Stores each thread of a graph in a context of Throughline; every checkpoint is an event. */
export class ThroughlineSaver extends BaseCheckpointSaver {
  readonly #threads: Threads;
  readonly #tuples: TupleReader;
  /** Threads and namespaces whose head was read. A graph reads the head before it writes, and then passes parents. */
  readonly #read = new Set<string>();

  constructor({ client, prefix = 'langgraph.', serde }: ThroughlineSaverOptions) {
    super(serde);
    this.#threads = new Threads(client, prefix);
    this.#tuples = new TupleReader(this.serde);
  }

  /** Returns the id of the context of the thread. */
  contextId(threadId: string): string {
    return this.#threads.log(threadId).contextId;
  }

  async getTuple(config: RunConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, namespace } = threadLocation(config);
    if (threadId === undefined) return undefined;
    const id = getCheckpointId(config);
    if (id === '') this.#noteRead(threadId, namespace);
    const entry = await this.#find(threadId, namespace, id);
    return entry && this.#complete(entry, threadId);
  }

  /** Newest first within a thread. */
  async *list(
    config: RunConfig,
    { limit = Number.POSITIVE_INFINITY, ...conditions }: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const id = getCheckpointId(config);
    let remaining = limit;
    if (remaining <= 0) return;
    for await (const { threadId, entry } of this.#entries(config)) {
      if (!(await this.#isRequested(entry, { id, ...conditions }))) continue;
      yield await this.#complete(entry, threadId);
      if (--remaining <= 0) return;
    }
  }

  /**
   * Rejects with `ParentNotHeadError` if `config` does not name the head of the thread, or names none although the thread has a
   * head. A saver that has not read the head may put checkpoints without parents after its own, as LangGraph's validation suite
   * does.
   */
  async put(
    config: RunConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ) {
    const { threadId, namespace } = requireThread(config, 'checkpoint');
    const { channel_values: values, channel_versions: versions, id, ...rest } = checkpoint;
    const changed = Object.keys(newVersions).filter((channel) => Object.hasOwn(values, channel));
    const serializable = [rest, metadata, ...changed.map((channel) => values[channel])];
    const [facts, about, ...encoded] = await this.#encode(threadId, serializable);
    if (!facts || !about) throw new Error('The serializer returned no bytes.');
    const parent = getCheckpointId(config);
    await this.#threads.thread(threadId).put({
      ns: namespace,
      id,
      versions,
      checkpoint: facts,
      metadata: about,
      ...(parent !== '' && { parent }),
      values: Object.fromEntries(encoded.map((value, at) => [changed[at], value])),
      mayFollowOwn: this.#read.size < maxRead && !this.#read.has(keyOf(threadId, namespace)),
    });
    return configOf(threadId, namespace, id);
  }

  async putWrites(
    config: RunConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    const { threadId, namespace } = requireThread(config, 'writes');
    const checkpoint = getCheckpointId(config);
    if (checkpoint === '') throw new Error('Writes need a checkpoint_id in configurable.');
    const values = writes.map(([, value]) => value);
    const encoded = await this.#encode(threadId, values);
    const indexed = writes.flatMap(([channel], at) => {
      const value = encoded[at];
      return value ? [[WRITES_IDX_MAP[channel] ?? at, channel, value] as const] : [];
    });
    const stored = { ns: namespace, checkpoint, task: taskId, path: taskPath, writes: indexed };
    await this.#threads.thread(threadId).putWrites(stored);
  }

  /** Deletes the checkpoints of the thread, so that its id can be used again. The events remain in the context. */
  async deleteThread(threadId: string): Promise<void> {
    await this.#threads.thread(threadId).delete();
  }

  /** Begins another thread with a checkpoint of this one, because a thread has no branches. */
  async copyCheckpoint(config: RunConfig, threadId: string) {
    const tuple = await this.getTuple(config);
    if (!tuple) throw new Error('The checkpoint does not exist.');
    const { namespace } = threadLocation(config);
    const { checkpoint, metadata } = tuple;
    const facts = { ...(metadata ?? { step: -1, parents: {} }), source: 'fork' } as const;
    this.#noteRead(threadId, namespace);
    const target = { configurable: { thread_id: threadId, checkpoint_ns: namespace } };
    const copied = await this.put(target, checkpoint, facts, checkpoint.channel_versions);
    for (const [at, { task, writes }] of writesByTask(tuple).entries())
      // The path of the task is not known; this one preserves the order.
      await this.putWrites(copied, writes, task, String(at).padStart(6, '0'));
    return copied;
  }

  override async getDeltaChannelHistory({
    config,
    channels,
  }: Readonly<{ config: RunConfig; channels: string[] }>): Promise<
    Record<string, DeltaChannelHistory>
  > {
    const { threadId, namespace } = threadLocation(config);
    if (threadId === undefined || channels.length === 0) return {};
    const ancestors = this.#ancestors(threadId, namespace, getCheckpointId(config));
    return collectDeltaHistory(ancestors, channels);
  }

  /** Yields the ancestors, nearest first. */
  async *#ancestors(threadId: string, namespace: string, id: string) {
    const history = readHistory(this.#threads.log(threadId), namespace);
    for await (const entry of ancestorsOf(history, id)) yield this.#tuples.tuple(entry, threadId);
  }

  /** Returns the head if `id` is empty. */
  async #find(
    threadId: string,
    namespace: string,
    id: string,
  ): Promise<CheckpointEntry | undefined> {
    const log = this.#threads.log(threadId);
    const head = await readHead(log, namespace);
    if (!head || id === '' || head.stored.id === id) return head;
    for await (const entry of readHistory(log, namespace)) if (entry.stored.id === id) return entry;
    return undefined;
  }

  async #isRequested(
    entry: CheckpointEntry,
    { id, before, filter }: CheckpointListOptions & Readonly<{ id: string }>,
  ): Promise<boolean> {
    const end = before ? getCheckpointId(before) : '';
    if (id !== '' && entry.stored.id !== id) return false;
    if (end !== '' && entry.stored.id >= end) return false;
    return !filter || matches(await this.#tuples.metadata(entry), filter);
  }

  async *#entries(config: RunConfig) {
    const { threadId: only } = threadLocation(config);
    const namespace: string | undefined = config.configurable?.['checkpoint_ns'];
    for await (const threadId of only === undefined ? this.#threads.ids() : [only])
      for await (const entry of readHistory(this.#threads.log(threadId), namespace))
        yield { threadId, entry };
  }

  async #complete(entry: CheckpointEntry, threadId: string): Promise<CheckpointTuple> {
    const tuple = await this.#tuples.tuple(entry, threadId);
    const { checkpoint, parentConfig } = tuple;
    if (checkpoint.v >= 4 || !parentConfig) return tuple;
    // Before version 4, values sent to tasks were stored with the writes of the parent.
    const sent = (await this.getTuple(parentConfig))?.pendingWrites ?? [];
    const tasks = sent.filter(([, channel]) => channel === TASKS).map(([, , value]) => value);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_values[TASKS] = tasks;
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
    return tuple;
  }

  #noteRead(threadId: string, namespace: string): void {
    if (this.#read.size < maxRead) this.#read.add(keyOf(threadId, namespace));
  }

  async #encode(threadId: string, values: readonly unknown[]) {
    const serialized: SerializedValue[] = [];
    for (const value of values) serialized.push(await serialize(this.serde, value));
    const thread = this.#threads.thread(threadId);
    return encodeAll(serialized, { store: (part) => thread.putPart(part) });
  }
}

/** Groups the writes by task; the writes of one task are consecutive. */
function writesByTask({ pendingWrites = [] }: CheckpointTuple) {
  const byTask: { task: string; writes: PendingWrite[] }[] = [];
  for (const [task, channel, value] of pendingWrites) {
    const last = byTask.at(-1);
    if (last && last.task === task) last.writes.push([channel, value]);
    else byTask.push({ task, writes: [[channel, value]] });
  }
  return byTask;
}

function keyOf(threadId: string, namespace: string): string {
  return JSON.stringify([threadId, namespace]);
}
