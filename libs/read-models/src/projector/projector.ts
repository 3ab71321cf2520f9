import { randomUUID } from 'node:crypto';

import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { pause } from '#polling';

import { liveTables } from '../tables.js';
import { type Applied, type Worker, applyParts } from './apply-batch.js';
import { DeadLetterRetries } from './dead-letter-retries.js';
import { type ParkedContext } from './dead-letters.js';
import { Ownership, renewMs } from './ownership.js';
import {
  type OwnedPartition,
  ForeignCheckpointError,
  NewerProjectionError,
  noteFailure,
  openProjection,
} from './partition-rows.js';
import { Partitions } from './partitions.js';
import { findLag } from './projection-lag.js';
import { refuseRowsAhead } from './refuse-rows-ahead.js';
import { sharedContextProjection, sharedContextVersion } from './shared-context.projection.js';
import { abortableStore } from './abortable-store.js';

/** What a projector tells about its work; never payloads. */
type ProjectorEvents = Readonly<{
  applied?: (events: number) => void;
  parked?: (context: ParkedContext) => void;
  failed?: (error: unknown, retryInMs: number) => void;
  /** What it has to say of itself could not be stored: nobody else sees it before its lease ends. */
  unrecorded?: (error: unknown) => void;
  /** The partitions this process has from now on. */
  owns?: (partitions: readonly number[]) => void;
}>;

const batchSize = 500;
/** Reads fold what is not projected yet, so nobody waits for this; a batch of several costs little more than one. */
const gatherMs = 20;
const firstRetryMs = 100;
const lastRetryMs = 5_000;

/**
 * Follows the feed and keeps the read models. Any number of projectors may run, in any processes: they share the
 * partitions of the projection. Rows and checkpoint change in one transaction that locks the rows of the partitions
 * and must find itself their owner, under the epoch and at the position it knows: each event takes effect once.
 */
export class Projector {
  readonly #stop = new AbortController();
  /** Keeps nobody waiting who stops. */
  readonly #log: EventStore;
  readonly #ownership: Ownership;
  readonly #worker: Worker;
  readonly #retries: DeadLetterRetries;
  #owned: readonly OwnedPartition[] = [];
  /** Ends the subscription under way when the partitions we have change. */
  #change = new AbortController();
  /** Ends the pause until partitions are looked after again. */
  #wake = new AbortController();
  #running: Promise<unknown> | undefined;
  /** So many events were read in vain to count them that nobody looks again before this. */
  #uncountedUntil = 0;
  /** Of the store, as it was when partitions were last looked after. */
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
      parked: (context) => this.events.parked?.(context),
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

  /** Resolves when the batch in hand is committed or rolled back; others may take over at once. */
  async stop(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    await this.#running;
    await this.#retries.end();
    // If the database is gone, others take over when the lease ends.
    await this.#ownership.release().catch((error: unknown) => this.events.unrecorded?.(error));
  }

  /** How many committed events the rows are behind; undefined where they are too many to be counted. */
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
        await this.#note(error);
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
        this.#cease();
      throw error;
    }
  }

  /** Until the partitions change, or prove to be somebody else's. */
  async #follow(): Promise<void> {
    const change = (this.#change = new AbortController());
    const signal = AbortSignal.any([this.#stop.signal, change.signal]);
    if (this.#owned.length === 0) return pause(renewMs, signal);
    const partitions = await this.#ownership.positions(this.#owned);
    if (!partitions) return this.#renounce();
    const reached = new Partitions(partitions, this.#log);
    const subscription = this.#log.subscribeAll({ after: reached.earliest(), batchSize, signal });
    for await (const batch of subscription) {
      for await (const applied of applyParts(this.#worker, reached, batch)) {
        if (!applied) return this.#renounce();
        this.#tell(applied);
        if (signal.aborted) return;
      }
      if (batch.length < batchSize) await pause(gatherMs, signal);
    }
  }

  /** The rows are of another log, or of newer code: nothing more that is read here may be applied to them. */
  #cease(): void {
    this.#owned = [];
    this.#change.abort();
  }

  #tell({ events, parked }: Applied): void {
    for (const context of parked) this.events.parked?.(context);
    this.#retries.retryGaps(partitionsOf(this.#owned), parked);
    this.events.applied?.(events);
  }

  /** Somebody else has a partition that we thought ours: ask again what is. */
  #renounce(): void {
    this.#owned = [];
    this.#wake.abort();
  }

  async #note(error: unknown): Promise<void> {
    const text = error instanceof Error ? error.message : String(error);
    try {
      await noteFailure(this.db, sharedContextProjection, this.instance, text);
    } catch (unstored) {
      // The work goes on being tried; only its state in the database says nothing of why.
      this.events.unrecorded?.(unstored);
    }
  }
}

function partitionsOf(owned: readonly OwnedPartition[]): ReadonlySet<number> {
  return new Set(owned.map(({ partition }) => partition));
}

function nameOf({ partition, epoch }: OwnedPartition): string {
  return `${partition}/${epoch}`;
}
