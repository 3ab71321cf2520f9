import { type ChainEnd, type StoredEvent, checkChain } from '#event-sourcing';
import { sha256 } from '#read-models';
import { contextOfStream } from '#shared-context';

import { BrokenSourceError } from './copy-errors.js';

/** The end of the hash chain of every stream so far. */
export class CheckedChains {
  readonly #ends = new Map<string, ChainEnd>();

  get streams(): number {
    return this.#ends.size;
  }

  /** Throws {@link BrokenSourceError} if the event is not the next link of its chain. */
  follow(event: StoredEvent): void {
    const { stream, version } = event;
    const id = contextOfStream(stream);
    if (!id) throw new BrokenSourceError(stream, version, 'it is not the stream of a context');
    const owner = { workspace: id.workspace, context: id.contextId };
    const before = this.#ends.get(stream) ?? { version: 0, hash: null };
    const { end, broken } = checkChain([event], before, owner, sha256);
    if (broken) throw new BrokenSourceError(stream, broken.version, broken.reason);
    this.#ends.set(stream, end);
  }
}
