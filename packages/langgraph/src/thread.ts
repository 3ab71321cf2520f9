import { isThroughlineError } from '@throughline/sdk';

import { BoundedMap } from './bounded-map.js';
import { type ContextLog, type NewOutput } from './context-log.js';
import { ParentNotHeadError } from './parent-not-head.error.js';
import {
  checkpointOf,
  checkpointStep,
  deletedThread,
  type FoundCheckpoint,
  isCheckpointStep,
  partsStep,
  type StoredCheckpoint,
  type StoredWrites,
  writesStep,
} from './stored-checkpoint.js';

/** A checkpoint, but for what follows from the head that it is appended to. */
export type NewCheckpoint = Omit<StoredCheckpoint, 'held' | 'early'> &
  Readonly<{
    /** The writer has read the thread while it was empty, and goes by that. */
    needsEmptyThread: boolean;
  }>;

const [mostAttempts, mostAppended, mostCheckpointsAhead] = [20, 500, 1_000];

/** The writing side of a thread. Writes are sent one after another, each with the version that the one before has led to. */
export class Thread {
  #last: Promise<unknown> = Promise.resolve();
  /** Of the context, as far as this writer knows; 0 if there is none. */
  #version: number | undefined;
  readonly #heads = new Map<string, FoundCheckpoint | undefined>();
  /** Versions of the writes that were stored before their checkpoint, by checkpoint. */
  readonly #early = new BoundedMap<number[]>(mostCheckpointsAhead);

  constructor(
    readonly threadId: string,
    private readonly log: ContextLog,
    private readonly create: () => Promise<unknown>,
  ) {}

  /** Rejects with {@link ParentNotHeadError} if the parent of the checkpoint is not the head. */
  put(checkpoint: NewCheckpoint): Promise<void> {
    return this.#inTurn(async () => {
      for (let attempt = 1; ; attempt++)
        try {
          return await this.#tryToPut(checkpoint);
        } catch (error) {
          // Others may have written anything else, such as the writes of a task: only another head is a reason to give up.
          if (!isThroughlineError(error, 'version-conflict') || attempt === mostAttempts)
            throw error;
          this.#forget();
        }
    });
  }

  putWrites(written: StoredWrites): Promise<void> {
    return this.#inTurn(async () => {
      const version = await this.#appendAnywhere({ stepId: writesStep, output: written });
      if (this.#heads.get(written.ns)?.stored.id === written.checkpoint) return;
      const known = this.#early.get(written.checkpoint);
      this.#early.set(written.checkpoint, [...(known ?? []), version]);
    });
  }

  /** Stores a part of a large value and returns its version. */
  putPart(base64: string): Promise<number> {
    return this.#inTurn(() => this.#appendAnywhere({ stepId: partsStep, output: base64 }));
  }

  /** Ends the thread in all namespaces. */
  delete(): Promise<void> {
    return this.#inTurn(async () => {
      const outputs = Object.entries((await this.log.latestOfAll()) ?? {});
      const ended = outputs
        .filter(([stepId, output]) => isCheckpointStep(stepId) && isAlive(stepId, output))
        .map(([stepId]) => ({ stepId, output: deletedThread }));
      for (let at = 0; at < ended.length; at += mostAppended)
        await this.log.append(ended.slice(at, at + mostAppended));
      this.#forget();
    });
  }

  async #tryToPut({ needsEmptyThread, ...checkpoint }: NewCheckpoint): Promise<void> {
    const head = await this.#headFor(checkpoint, needsEmptyThread);
    if (head?.stored.id === checkpoint.id) return;
    if (this.#version === 0) await this.#createContext();
    const early = this.#early.get(checkpoint.id);
    const held = checkpoint.parent === undefined || !head ? {} : heldValues(checkpoint, head);
    const stored = { ...checkpoint, held, ...(early && { early }) };
    const output = { stepId: checkpointStep(checkpoint.ns), output: stored };
    const { version } = await this.log.append([output], this.#version);
    this.#version = version;
    this.#heads.set(checkpoint.ns, { version, stored });
    this.#early.delete(checkpoint.id);
  }

  async #headFor(
    { ns, id, parent }: Pick<StoredCheckpoint, 'ns' | 'id' | 'parent'>,
    needsEmptyThread: boolean,
  ): Promise<FoundCheckpoint | undefined> {
    const mayFollow = (head: FoundCheckpoint | undefined) =>
      head?.stored.id === id ||
      (parent === undefined ? !needsEmptyThread || !head : head?.stored.id === parent);
    if (this.#heads.has(ns) && mayFollow(this.#heads.get(ns))) return this.#heads.get(ns);
    const head = await this.#readHead(ns);
    if (mayFollow(head)) return head;
    const { threadId } = this;
    throw new ParentNotHeadError({ threadId, namespace: ns, parent, head: head?.stored.id });
  }

  async #readHead(namespace: string): Promise<FoundCheckpoint | undefined> {
    const latest = await this.log.latest(checkpointStep(namespace));
    this.#reach(latest?.version ?? 0);
    const head = latest?.output && checkpointOf(latest.output);
    this.#heads.set(namespace, head);
    return head;
  }

  /** Appends what commutes with everything that others append. */
  async #appendAnywhere(output: Omit<NewOutput, 'visibility'>): Promise<number> {
    const append = () => this.log.append([{ ...output, visibility: 'working' }]);
    const { version } = await append().catch(async (error: unknown) => {
      if (!isThroughlineError(error, 'context-not-found')) throw error;
      await this.#createContext();
      return append();
    });
    if (this.#version === version - 1) this.#version = version;
    else this.#reach(version);
    return version;
  }

  async #createContext(): Promise<void> {
    await this.create();
    this.#forget();
    // If another writer has created it, the append is refused, and the head is read again.
    this.#version = 1;
  }

  /** What is known of heads is of another version. */
  #reach(version: number): void {
    if (this.#version !== version) this.#heads.clear();
    this.#version = version;
  }

  #forget(): void {
    this.#heads.clear();
    this.#version = undefined;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work).catch((error: unknown) => {
      this.#forget();
      throw error;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Where the values are that the checkpoint has not changed. Values of another version are of no use to it. */
function heldValues(
  { versions, values }: Pick<StoredCheckpoint, 'versions' | 'values'>,
  head: FoundCheckpoint,
): Record<string, number> {
  const changed = Object.keys(head.stored.values).map((channel) => [channel, head.version]);
  const places: Record<string, number> = { ...head.stored.held, ...Object.fromEntries(changed) };
  const isHeld = ([channel]: readonly [string, number]) =>
    Object.hasOwn(versions, channel) &&
    !Object.hasOwn(values, channel) &&
    head.stored.versions[channel] === versions[channel];
  return Object.fromEntries(Object.entries(places).filter(isHeld));
}

function isAlive(stepId: string, output: unknown): boolean {
  return checkpointOf({ version: 0, stepId, output }) !== undefined;
}
