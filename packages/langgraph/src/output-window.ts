import { BoundedMap } from './bounded-map.js';
import { type ContextLog, type StoredOutput } from './context-log.js';

const maxCached = 400;

/** Reads outputs by version and caches the latest ones: outputs never change. */
export class OutputWindow {
  readonly #cached = new BoundedMap<number, StoredOutput>(maxCached);

  constructor(private readonly log: ContextLog) {}

  /** Returns the outputs after version `after`, up to `to`, oldest first. */
  async range(after: number, to?: number): Promise<readonly StoredOutput[]> {
    const outputs = await this.log.outputs(after, to);
    for (const output of outputs) this.#cached.set(output.version, output);
    return outputs;
  }

  async at(version: number): Promise<StoredOutput> {
    const output = this.#cached.get(version) ?? (await this.log.outputs(version - 1, version))[0];
    if (!output)
      throw new Error(
        `Context ${this.log.contextId} contains no output at version ${version}, to which a checkpoint refers. ` +
          'Checkpoints cannot be read in a fork of a context: copy a checkpoint to another thread with copyCheckpoint.',
      );
    this.#cached.set(version, output);
    return output;
  }
}
