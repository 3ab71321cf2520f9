import { randomUUID } from 'node:crypto';

import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { pause } from '#polling';

import { liveTables } from '../tables.js';
import { type AppliedEvents, type Worker, applyParts } from './apply-batch.js';
import { DeadLetterRetries } from './dead-letter-retries.js';
import { type QuarantinedContext } from './dead-letters.js';
import { Ownership, renewMs } from './ownership.js';
import {
  type OwnedPartition,
  ForeignCheckpointError,
  NewerProjectionError,
  recordFailure,
  openProjection,
} from './partition-rows.js';
import { Partitions } from './partitions.js';
import { findLag } from './projection-lag.js';
import { refuseRowsAhead } from './refuse-rows-ahead.js';
import { sharedContextProjection, sharedContextVersion } from './shared-context.projection.js';
import { abortableStore } from './abortable-store.js';

/** Events that a projector reports; never payloads. */
type ProjectorEvents = Readonly<{
  applied?: (events: number) => void;
  quarantined?: (context: QuarantinedContext) => void;
  failed?: (error: unknown, retryInMs: number) => void;
  /** The failure or the release could not be stored, so that other processes notice it only when the lease ends. */
  unrecorded?: (error: unknown) => void;
  /** The partitions that this process owns from now on. */
  owns?: (partitions: readonly number[]) => void;
}>;

const batchSize = 500;
/**
 * Delay after a partial batch: reads fold unprojected events themselves, so that no reader waits for the rows, and a batch
 * of several events costs little more than one event.
 */
const gatherMs = 20;
const firstRetryMs = 100;
const lastRetryMs = 5_000;

/**
 * Follows the feed and updates the read models. Any number of projectors may run, in any processes: they share the
 * partitions of the projection. Rows and checkpoint change in one transaction, which locks the rows of the partitions
 * and requires the known owner, epoch and position: each event takes effect once.
 */
export class Projector {
  readonly #stop = new AbortController();
  /** The store with calls that end when the projector stops. */
  readonly #log: EventStore;
  readonly #ownership: Ownership;
  readonly #worker: Worker;
  readonly #retries: DeadLetterRetries;
  #owned: readonly OwnedPartition[] = [];
  /** Ends the current subscription when the owned partitions change. */
  #change = new AbortController();
  /** Ends the pause until the next renewal. */
  #wake = new AbortController();
  #running: Promise<unknown> | undefined;
  /** Until then, `lag` does not count again, since the last count reached its limit. */
  #uncountedUntil = 0;
  /** The identity of the store at the last renewal. */
  #identity: string | undefined;

  constructor(
    private readonly db: Kysely<Database>,
    private readonly store: EventStore,
    private readonly events: ProjectorEvents = {},
    readonly instance: string = randomUUID(),
  ) {
    this.#log = abortableStore(this.#stop.signal, store);
    this.#ownership = new Ownership(db, sharedContextProjection, instance);
    this.#retries = new DeadLetterRetries({ db, store: this.#log }, this.#stop.signal, {
      quarantined: (context) => this.events.quarantined?.(context),
      failed: (error) => this.events.failed?.(error, renewMs),
    });
    this.#worker = {
      db,
      owner: instance,
      projection: sharedContextProjection,
      tables: liveTables,
      store: this.#log,
    };
  }

  start(): void {
    this.#running ??= Promise.all([
      this.#untilStopped(() => this.#renew()),
      this.#untilStopped(() => this.#follow()),
    ]);
  }

  /** Resolves when the current batch is committed or rolled back; other processes can take over at once. */
  async stop(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    await this.#running;
    await this.#retries.end();
    // If the database is unavailable, other processes take over when the lease ends.
    await this.#ownership.release().catch((error: unknown) => this.events.unrecorded?.(error));
  }

  /** The number of committed events that the rows lag behind; undefined if there are too many to count. */
  async lag(): Promise<number | undefined> {
    if (performance.now() < this.#uncountedUntil) return undefined;
    this.#identity ??= await this.store.identity();
    const { db, store } = this;
    const lag = await findLag({ db, store }, sharedContextProjection, this.#identity);
    if (lag === undefined) this.#uncountedUntil = performance.now() + renewMs;
    return lag;
  }

  async #untilStopped(work: () => Promise<void>): Promise<void> {
    let retryInMs = firstRetryMs;
    while (!this.#stop.signal.aborted)
      try {
        await work();
        retryInMs = firstRetryMs;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.events.failed?.(error, retryInMs);
        await this.#recordFailure(error);
        await pause(retryInMs, this.#stop.signal);
        retryInMs = Math.min(retryInMs * 2, lastRetryMs);
      }
  }

  async #renew(): Promise<void> {
    const identity = (this.#identity = await this.#log.identity());
    const owned = await this.#own({ version: sharedContextVersion, identity });
    const had = new Set(this.#owned.map(nameOf));
    const taken = owned.filter((partition) => !had.has(nameOf(partition)));
    if (taken.length > 0 || owned.length < had.size) {
      this.#owned = owned;
      this.#change.abort();
      this.events.owns?.(owned.map(({ partition }) => partition));
      this.#retries.retryAll(partitionsOf(taken));
    }
    this.#retries.retryGaps(partitionsOf(owned));
    this.#wake = new AbortController();
    await pause(renewMs, AbortSignal.any([this.#stop.signal, this.#wake.signal]));
  }

  async #own(origin: Readonly<{ version: number; identity: string }>): Promise<OwnedPartition[]> {
    try {
      await openProjection(this.db, sharedContextProjection, origin);
      const owned = await this.#ownership.renew();
      await refuseRowsAhead(this.#log, owned);
      return owned;
    } catch (error) {
      if (error instanceof ForeignCheckpointError || error instanceof NewerProjectionError)
        this.#stopApplying();
      throw error;
    }
  }

  /** Applies events until the owned partitions change. */
  async #follow(): Promise<void> {
    const change = (this.#change = new AbortController());
    const signal = AbortSignal.any([this.#stop.signal, change.signal]);
    if (this.#owned.length === 0) return pause(renewMs, signal);
    const partitions = await this.#ownership.positions(this.#owned);
    if (!partitions) return this.#dropOwnership();
    const reached = new Partitions(partitions, this.#log);
    const subscription = this.#log.subscribeAll({ after: reached.earliest(), batchSize, signal });
    for await (const batch of subscription) {
      for await (const applied of applyParts(this.#worker, reached, batch)) {
        if (!applied) return this.#dropOwnership();
        this.#report(applied);
        if (signal.aborted) return;
      }
      if (batch.length < batchSize) await pause(gatherMs, signal);
    }
  }

  /** The rows follow another log or belong to newer code: no event read here may be applied to them. */
  #stopApplying(): void {
    this.#owned = [];
    this.#change.abort();
  }

  #report({ events, quarantined }: AppliedEvents): void {
    for (const context of quarantined) this.events.quarantined?.(context);
    this.#retries.retryGaps(partitionsOf(this.#owned), quarantined);
    this.events.applied?.(events);
  }

  /** Another process owns a partition that this one assumed to own: renew now. */
  #dropOwnership(): void {
    this.#owned = [];
    this.#wake.abort();
  }

  async #recordFailure(error: unknown): Promise<void> {
    const text = error instanceof Error ? error.message : String(error);
    try {
      await recordFailure(this.db, sharedContextProjection, this.instance, text);
    } catch (storageError) {
      // The work is retried anyway; only the reason is missing in the database.
      this.events.unrecorded?.(storageError);
    }
  }
}

function partitionsOf(owned: readonly OwnedPartition[]): ReadonlySet<number> {
  return new Set(owned.map(({ partition }) => partition));
}

function nameOf({ partition, epoch }: OwnedPartition): string {
  return `${partition}/${epoch}`;
}
