import { BoundedMap } from './bounded-map.js';
import { type ContextLog, type StoredOutput } from './context-log.js';

const maxRemembered = 400;

/** Outputs by version. They never change, so that those read last are remembered. */
export class OutputWindow {
  readonly #remembered = new BoundedMap<number, StoredOutput>(maxRemembered);

  constructor(private readonly log: ContextLog) {}

  /** The outputs behind version `after`, up to `to`, oldest first. */
  async range(after: number, to?: number): Promise<readonly StoredOutput[]> {
    const outputs = await this.log.outputs(after, to);
    for (const output of outputs) this.#remembered.set(output.version, output);
    return outputs;
  }

  async at(version: number): Promise<StoredOutput> {
    const output =
      this.#remembered.get(version) ?? (await this.log.outputs(version - 1, version))[0];
    if (!output)
      throw new Error(
        `Context ${this.log.contextId} holds no output at version ${version}, to which a checkpoint refers. ` +
          'Checkpoints cannot be read in a fork of a context: copyCheckpoint makes a thread from one.',
      );
    this.#remembered.set(version, output);
    return output;
  }
}
