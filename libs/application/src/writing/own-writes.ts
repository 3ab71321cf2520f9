import { Injectable } from '@nestjs/common';

import { type ContextHead, type DecodedEvent } from '#shared-context';

/** Must not throw. `head`: the context after these events. */
type WriteListener = (head: ContextHead, events: readonly DecodedEvent[]) => void;

/**
 * Reports the events that this process stores, immediately. The feed brings them a little later, together with the
 * events of other processes.
 */
@Injectable()
export class OwnWrites {
  readonly #listeners = new Set<WriteListener>();

  listen(listener: WriteListener): void {
    this.#listeners.add(listener);
  }

  report(...stored: Parameters<WriteListener>): void {
    for (const listener of this.#listeners) listener(...stored);
  }
}
