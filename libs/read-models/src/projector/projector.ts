import { setTimeout as wait } from 'node:timers/promises';

import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type EventStore, type StoredEvent } from '#event-sourcing';

import {
  type CheckpointPosition,
  findCheckpoint,
  lockCheckpoint,
  moveCheckpoint,
  openCheckpoint,
} from './checkpoint.js';
import { type ParkedContext, projectBatch } from './project-batch.js';

/** What a projector tells about its work; never payloads. */
export type ProjectorEvents = Readonly<{
  applied?: (events: number, position: string) => void;
  parked?: (context: ParkedContext) => void;
  failed?: (error: unknown, retryInMs: number) => void;
}>;

const batchSize = 200;
/** Reads fold what is not projected yet, so nobody waits for this; a batch of several costs little more than one. */
const gatherMs = 10;
const firstRetryMs = 100;
const lastRetryMs = 5_000;

export const sharedContextProjection = 'shared-context';

/**
 * Follows the feed and keeps the read models. Rows and checkpoint change in one transaction that holds the
 * checkpoint's row lock, and a batch is applied only from the position it was read behind: any number of
 * projectors may run, in any processes, and each event still takes effect once.
 */
export class Projector {
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(
    private readonly db: Kysely<Database>,
    private readonly store: EventStore,
    private readonly events: ProjectorEvents = {},
    readonly projection: string = sharedContextProjection,
  ) {}

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when the batch in hand is committed or rolled back. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** How many committed events the rows are behind; undefined where the store's positions do not count. */
  async lag(): Promise<number | undefined> {
    const checkpoint = await findCheckpoint(this.db, this.projection);
    return this.store.countBetween(checkpoint, await this.store.head());
  }

  async #run(): Promise<void> {
    let retryInMs = firstRetryMs;
    while (!this.#stop.signal.aborted)
      try {
        await openCheckpoint(this.db, this.projection, await this.store.identity());
        await this.#follow(() => (retryInMs = firstRetryMs));
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.events.failed?.(error, retryInMs);
        await wait(retryInMs, undefined, { signal: this.#stop.signal }).catch(ignoreAbort);
        retryInMs = Math.min(retryInMs * 2, lastRetryMs);
      }
  }

  async #follow(progressed: () => void): Promise<void> {
    let at = await findCheckpoint(this.db, this.projection);
    const subscription = this.store.subscribeAll({
      after: at,
      batchSize,
      signal: this.#stop.signal,
    });
    for await (const batch of subscription) {
      const applied = await this.#apply(batch, at);
      if (!applied) return;
      progressed();
      at = applied;
      if (batch.length < batchSize) await this.#gather();
    }
  }

  async #gather(): Promise<void> {
    await wait(gatherMs, undefined, { signal: this.#stop.signal }).catch(ignoreAbort);
  }

  /** The new checkpoint, or undefined where somebody else has moved it. */
  async #apply(
    batch: readonly StoredEvent[],
    expected: CheckpointPosition,
  ): Promise<CheckpointPosition | undefined> {
    const last = batch.at(-1);
    if (!last) return expected;
    const parked = await this.db.transaction().execute(async (trx) => {
      // Rows and checkpoint are lost together where the database dies, and made again from the log: no need to
      // wait for the disk, which the appends are waiting for.
      await sql`set local synchronous_commit = off`.execute(trx);
      if ((await lockCheckpoint(trx, this.projection)) !== expected) return undefined;
      const poisoned = await projectBatch(trx, this.projection, batch);
      await moveCheckpoint(trx, this.projection, last.position);
      return poisoned;
    });
    if (!parked) return undefined;
    for (const context of parked) this.events.parked?.(context);
    this.events.applied?.(batch.length, last.position);
    return last.position;
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
