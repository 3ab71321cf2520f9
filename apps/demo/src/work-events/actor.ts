import { z } from 'zod';

import { DemoError } from '../demo-error.js';
import {
  type Conflict,
  contextPath,
  type DemoClient,
  storedEvent,
  type Written,
} from '../server/demo-client.js';
import { catchUp, createdItem, type ItemCopy, stepIdOf } from './item-copy.js';
import { type WorkEvent } from './work-event.schema.js';

/** An actor works on several items at once, as its log shows it did. */
const hands = 8;
const waitSeconds = 30;

/** An event of the log and the one before it on the same item, whoever wrote that. */
export type Turn = Readonly<{ event: WorkEvent; previousId: number | null }>;

/** Told what happens to an actor's writes. */
export type ReplayWatcher = Readonly<{
  acknowledged: (event: WorkEvent, written: Written) => void;
  conflicted: () => void;
}>;

/** One actor of the log: a client with a key and with copies of items that others change behind its back. */
export class Actor {
  readonly #copies = new Map<string, ItemCopy>();

  constructor(
    private readonly client: DemoClient,
    private readonly watcher: ReplayWatcher,
  ) {}

  /**
   * Plays its turns, started in the log's order. The earliest event nobody has stored yet is always among the
   * started ones of its actor, so waiting for predecessors cannot end in a circle.
   */
  async play(turns: readonly Turn[]): Promise<void> {
    const lastOfItem = new Map<string, Promise<void>>();
    const running = new Set<Promise<void>>();
    for (const turn of turns) {
      if (running.size >= hands) await Promise.race(running);
      const { itemId } = turn.event;
      const ownPrevious = lastOfItem.get(itemId) ?? Promise.resolve();
      const done = ownPrevious.then(() => this.#take(turn));
      const settled = done.finally(() => running.delete(settled));
      lastOfItem.set(itemId, settled);
      running.add(settled);
    }
    await Promise.all(running);
  }

  /**
   * Writes on the version it knows. Where others wrote since, it is refused with what it missed, takes that into
   * its copy, and writes again.
   */
  async #take({ event, previousId }: Turn): Promise<void> {
    let copy = this.#copies.get(event.itemId) ?? createdItem;
    if (copy.lastId !== previousId && previousId !== null)
      await this.#awaitEvent(event.itemId, previousId);
    for (;;) {
      const answer = await this.client.writeIfCurrent(requestOf(event, copy.version));
      if (!('missed' in answer)) return this.#keep(event, answer);
      this.watcher.conflicted();
      copy = await this.#readMissed(event.itemId, copy, answer);
      if (copy.lastId !== previousId)
        throw new DemoError(
          `${event.itemId}: event ${event.id} follows ${previousId}, the store says ${copy.lastId}`,
        );
    }
  }

  /** Answered as soon as the event is there; nobody sleeps. */
  async #awaitEvent(itemId: string, eventId: number): Promise<void> {
    const path = `${contextPath(itemId, 'step-outputs', stepIdOf(eventId))}?wait=${waitSeconds}`;
    const there = z.looseObject({ version: z.int() }).nullable();
    while ((await this.client.read(there, path)) === null);
  }

  async #readMissed(itemId: string, copy: ItemCopy, conflict: Conflict): Promise<ItemCopy> {
    const caughtUp = catchUp(copy, conflict.missed);
    if (!conflict.missedTruncated) return caughtUp;
    const path = `${contextPath(itemId, 'events')}?after=${caughtUp.version}`;
    return catchUp(caughtUp, await this.client.readAll(storedEvent, path));
  }

  #keep(event: WorkEvent, written: Written): void {
    this.#copies.set(event.itemId, { version: written.version, lastId: event.id });
    this.watcher.acknowledged(event, written);
  }
}

/** One event of the log: what it changes of the item and the whole record, together or not at all. */
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
