import { Injectable } from '@nestjs/common';

import { type ContextHead, type DecodedEvent } from '#shared-context';

/** Must not throw. `head`: as these events have left their context. */
type WriteListener = (head: ContextHead, events: readonly DecodedEvent[]) => void;

/** What this process stores, as soon as it is stored: the feed brings it too, a little later, with what other processes store. */
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
