import { z } from 'zod';

import { DemoError } from '../demo-error.js';
import {
  type Conflict,
  contextPath,
  type DemoClient,
  storedEvent,
  type WriteResult,
} from '../server/demo-client.js';
import { catchUp, createdItem, type ItemCopy, stepIdOf } from './item-copy.js';
import { type WorkEvent } from './work-event.schema.js';

/** Maximum number of items on which an actor works concurrently, as in the log. */
const maxConcurrentItems = 8;
const waitSeconds = 30;

/** An event of the log, and the previous event of any actor on the same item. */
export type Turn = Readonly<{ event: WorkEvent; previousId: number | null }>;

/** Callbacks for the results of an actor's writes. */
export type ReplayWatcher = Readonly<{
  acknowledged: (event: WorkEvent, written: WriteResult) => void;
  conflicted: () => void;
}>;

/** One actor of the log: a client with its own key and with copies of items, which become outdated when others write. */
export class Actor {
  readonly #copies = new Map<string, ItemCopy>();

  constructor(
    private readonly client: DemoClient,
    private readonly watcher: ReplayWatcher,
  ) {}

  /**
   * Plays its turns, started in the order of the log. The earliest event that is not stored is always started, so waiting for
   * previous events cannot deadlock.
   */
  async play(turns: readonly Turn[]): Promise<void> {
    const lastOfItem = new Map<string, Promise<void>>();
    const running = new Set<Promise<void>>();
    for (const turn of turns) {
      if (running.size >= maxConcurrentItems) await Promise.race(running);
      const { itemId } = turn.event;
      const ownPrevious = lastOfItem.get(itemId) ?? Promise.resolve();
      const done = ownPrevious.then(() => this.#playTurn(turn));
      const settled = done.finally(() => running.delete(settled));
      lastOfItem.set(itemId, settled);
      running.add(settled);
    }
    await Promise.all(running);
  }

  /**
   * Writes at the version of its copy. If others have written since, the write is refused with the missed events; the actor
   * applies them to its copy and writes again.
   */
  async #playTurn({ event, previousId }: Turn): Promise<void> {
    let copy = this.#copies.get(event.itemId) ?? createdItem;
    if (copy.lastId !== previousId && previousId !== null)
      await this.#awaitEvent(event.itemId, previousId);
    for (;;) {
      const answer = await this.client.writeIfCurrent(requestOf(event, copy.version));
      if (!('missed' in answer)) return this.#acknowledge(event, answer);
      this.watcher.conflicted();
      copy = await this.#readMissed(event.itemId, copy, answer);
      if (copy.lastId !== previousId)
        throw new DemoError(
          `${event.itemId}: event ${event.id} must follow ${previousId}, but the store has ${copy.lastId}`,
        );
    }
  }

  /** Waits by long polls until the event is stored. */
  async #awaitEvent(itemId: string, eventId: number): Promise<void> {
    const path = `${contextPath(itemId, 'step-outputs', stepIdOf(eventId))}?wait=${waitSeconds}`;
    const storedOutput = z.looseObject({ version: z.int() }).nullable();
    while ((await this.client.read(storedOutput, path)) === null);
  }

  async #readMissed(itemId: string, copy: ItemCopy, conflict: Conflict): Promise<ItemCopy> {
    const caughtUp = catchUp(copy, conflict.missed);
    if (!conflict.missedTruncated) return caughtUp;
    const path = `${contextPath(itemId, 'events')}?after=${caughtUp.version}`;
    return catchUp(caughtUp, await this.client.readAll(storedEvent, path));
  }

  #acknowledge(event: WorkEvent, written: WriteResult): void {
    this.#copies.set(event.itemId, { version: written.version, lastId: event.id });
    this.watcher.acknowledged(event, written);
  }
}

/** Returns the append for one event of the log: the changes of the item and the complete record, stored atomically. */
function requestOf({ id, itemId, changes, record }: WorkEvent, version: number) {
  return {
    path: contextPath(itemId, 'events'),
    ifMatch: version,
    idempotencyKey: `work-event-${id}`,
    body: {
      events: [
        { type: 'GlobalContextSet', data: { values: changes } },
        { type: 'StepOutputAdded', data: { stepId: stepIdOf(id), output: record } },
      ],
    },
  };
}
