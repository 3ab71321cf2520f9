import { isThroughlineError } from '@throughline/sdk';

import { BoundedMap } from './bounded-map.js';
import { type ContextLog, countFitting, type NewOutput, sizeOf } from './context-log.js';
import { ParentNotHeadError } from './parent-not-head.error.js';
import {
  checkpointOf,
  checkpointStep,
  deletedThread,
  type VersionedCheckpoint,
  isCheckpointStep,
  partsStep,
  type StoredCheckpoint,
  type StoredWrites,
  writesStep,
} from './stored-checkpoint.js';

/** A checkpoint without the members that depend on the head to which it is appended. */
type NewCheckpoint = Omit<StoredCheckpoint, 'held' | 'early'> &
  Readonly<{
    /** Whether a checkpoint without a parent may follow a head that this writer has put, instead of beginning the thread. */
    mayFollowOwn: boolean;
  }>;

type KnownHead = VersionedCheckpoint & Readonly<{ isOwn?: true }>;

type WaitingWrites = Readonly<{
  written: StoredWrites;
  size: number;
  resolve: () => void;
  reject: (error: unknown) => void;
}>;

const [maxAttempts, maxCheckpointsAhead, maxHeads] = [20, 1_000, 100];

/** Writes to a thread. Requests are sent one after another, each with the version after the previous one. */
export class Thread {
  #last: Promise<unknown> = Promise.resolve();
  /** The last known version of the context; 0 if it does not exist. */
  #version: number | undefined;
  readonly #heads = new BoundedMap<string, KnownHead | undefined>(maxHeads);
  /** The versions of writes that were stored before their checkpoint, by checkpoint. */
  readonly #early = new BoundedMap<string, number[]>(maxCheckpointsAhead);

  readonly #waiting: WaitingWrites[] = [];

  constructor(
    readonly threadId: string,
    private readonly log: ContextLog,
    private readonly create: () => Promise<unknown>,
  ) {}

  /** Rejects with {@link ParentNotHeadError} if the parent of the checkpoint is not the head. */
  put(checkpoint: NewCheckpoint): Promise<void> {
    return this.#enqueue(async () => {
      for (let attempt = 1; ; attempt++)
        try {
          return await this.#tryToPut(checkpoint);
        } catch (error) {
          // The conflict may be with other events, such as writes of a task: only another head is an error.
          if (!isThroughlineError(error, 'version-conflict') || attempt === maxAttempts)
            throw error;
          this.#forget();
        }
    });
  }

  /** Pending writes are stored in one append: a graph does not wait for one task before it starts another. */
  putWrites(written: StoredWrites): Promise<void> {
    const size = sizeOf(written);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ written, size, resolve, reject });
      if (this.#waiting.length === 1) void this.#enqueue(() => this.#storeWaiting());
    });
  }

  /** Stores a part of a large value and returns its version. */
  putPart(base64: string): Promise<number> {
    return this.#enqueue(() => this.#appendAnywhere([{ stepId: partsStep, output: base64 }]));
  }

  /** Deletes the thread in all namespaces. */
  delete(): Promise<void> {
    return this.#enqueue(async () => {
      const document = await this.log.read('stepOutputs');
      const ended = Object.entries(document?.stepOutputs ?? {})
        .filter(([stepId, output]) => isCheckpointStep(stepId) && isAlive(stepId, output))
        .map(([stepId]) => ({ stepId, output: deletedThread }));
      await this.log.appendAll(ended);
      this.#forget();
    });
  }

  async #tryToPut({ mayFollowOwn, ...checkpoint }: NewCheckpoint): Promise<void> {
    const head = await this.#headFor(checkpoint, mayFollowOwn);
    if (head?.stored.id === checkpoint.id) return;
    if (this.#version === 0) await this.#createContext();
    const early = this.#early.get(checkpoint.id);
    const held = checkpoint.parent === undefined || !head ? {} : heldValues(checkpoint, head);
    const stored = { ...checkpoint, held, ...(early && { early }) };
    const output = { stepId: checkpointStep(checkpoint.ns), output: stored };
    const version = await this.log.append([output], this.#version);
    this.#version = version;
    this.#heads.set(checkpoint.ns, { version, stored, isOwn: true });
    this.#early.delete(checkpoint.id);
  }

  async #headFor(
    { ns, id, parent }: Pick<StoredCheckpoint, 'ns' | 'id' | 'parent'>,
    mayFollowOwn: boolean,
  ): Promise<VersionedCheckpoint | undefined> {
    const mayFollow = (head: KnownHead | undefined) =>
      head?.stored.id === id ||
      head?.stored.id === parent ||
      (parent === undefined && mayFollowOwn && head?.isOwn);
    if (this.#heads.has(ns) && mayFollow(this.#heads.get(ns))) return this.#heads.get(ns);
    const head = await this.#readHead(ns);
    if (mayFollow(head)) return head;
    const { threadId } = this;
    throw new ParentNotHeadError({ threadId, namespace: ns, parent, head: head?.stored.id });
  }

  async #readHead(namespace: string): Promise<VersionedCheckpoint | undefined> {
    const latest = await this.log.latest(checkpointStep(namespace));
    this.#setVersion(latest?.version ?? 0);
    const head = latest?.output && checkpointOf(latest.output);
    this.#heads.set(namespace, head);
    return head;
  }

  async #storeWaiting(): Promise<void> {
    for (let batch = this.#takeBatch(); batch.length > 0; batch = this.#takeBatch())
      try {
        const outputs = batch.map(({ written }) => ({ stepId: writesStep, output: written }));
        const last = await this.#appendAnywhere(outputs);
        for (const [at, { written }] of batch.entries())
          this.#noteWrites(written, last - batch.length + 1 + at);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        this.#forget();
        for (const { reject } of batch) reject(error);
      }
  }

  #takeBatch(): WaitingWrites[] {
    return this.#waiting.splice(0, countFitting(this.#waiting.map(({ size }) => size)));
  }

  #noteWrites({ ns, checkpoint }: StoredWrites, version: number): void {
    if (this.#heads.get(ns)?.stored.id === checkpoint) return;
    this.#early.set(checkpoint, [...(this.#early.get(checkpoint) ?? []), version]);
  }

  /** Appends outputs without an expected version, because their order does not matter. Returns the last version. */
  async #appendAnywhere(outputs: readonly Omit<NewOutput, 'visibility'>[]): Promise<number> {
    const working = outputs.map((output) => ({ ...output, visibility: 'working' }) as const);
    const append = () => this.log.append(working);
    const version = await append().catch(async (error: unknown) => {
      if (!isThroughlineError(error, 'context-not-found')) throw error;
      await this.#createContext();
      return append();
    });
    if (this.#version === version - outputs.length) this.#version = version;
    else this.#setVersion(version);
    return version;
  }

  async #createContext(): Promise<void> {
    await this.create();
    this.#forget();
    // If another writer has created it, the append is refused, and the head is read again.
    this.#version = 1;
  }

  /** Clears the known heads if the version has changed. */
  #setVersion(version: number): void {
    if (this.#version !== version) this.#heads.clear();
    this.#version = version;
  }

  #forget(): void {
    this.#heads.clear();
    this.#version = undefined;
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work).catch((error: unknown) => {
      this.#forget();
      throw error;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Returns the versions of the values that the checkpoint has not changed, unless their channel has another version. */
function heldValues(
  { versions, values }: Pick<StoredCheckpoint, 'versions' | 'values'>,
  head: VersionedCheckpoint,
): Record<string, number> {
  const changed = Object.keys(head.stored.values).map((channel) => [channel, head.version]);
  const versionByChannel: Record<string, number> = {
    ...head.stored.held,
    ...Object.fromEntries(changed),
  };
  const isHeld = ([channel]: readonly [string, number]) =>
    Object.hasOwn(versions, channel) &&
    !Object.hasOwn(values, channel) &&
    head.stored.versions[channel] === versions[channel];
  return Object.fromEntries(Object.entries(versionByChannel).filter(isHeld));
}

function isAlive(stepId: string, output: unknown): boolean {
  return checkpointOf({ version: 0, stepId, output }) !== undefined;
}
