import { setTimeout as wait } from 'node:timers/promises';

import { type EventStore, type Position, type StoredEvent } from '#event-sourcing';

import { type Worker, applyBatch } from '../projector/apply-batch.js';
import { type CheckpointPosition, type OwnedPartition } from '../projector/partition-rows.js';
import { Partitions } from '../projector/partitions.js';

/** Another process has taken over the rebuild. */
export class RebuildLostError extends Error {
  override readonly name = 'RebuildLostError';
}

/** The number of connections that write in parallel, each for its own partitions. */
const laneCount = 4;
const largeBatch = 4_000;
const smallBatch = 50;
/** The number of batches queued per lane, so that reading continues while it writes. */
const maxWaiting = 2;

/**
 * Applies the log to the new rows, in parallel over partitions: one reader, and separate transactions for each lane.
 */
export class EventCopy {
  readonly #lanes: readonly Lane[];

  constructor(
    worker: Worker,
    private readonly store: EventStore,
    partitions: readonly OwnedPartition[],
    private readonly rate: number | null,
  ) {
    this.#lanes = Array.from({ length: laneCount }, (_, lane) => {
      const own = partitions.filter(({ partition }) => partition % laneCount === lane);
      return new Lane(worker, new Partitions(own, store));
    });
  }

  /** The position that all partitions have reached. */
  position(): CheckpointPosition {
    const [earliest = 'start'] = this.#lanes
      .map(({ partitions }) => partitions.earliest())
      .toSorted((left, right) => this.store.comparePositions(left, right));
    return earliest;
  }

  /** Resolves when every event up to `target` is committed. Throws {@link RebuildLostError}, or the signal's reason. */
  async copyTo(target: CheckpointPosition, signal: AbortSignal): Promise<void> {
    const after = this.position();
    if (this.store.comparePositions(after, target) >= 0) return;
    const pace = new Pace(this.rate);
    const end = new AbortController();
    try {
      const ended = AbortSignal.any([signal, end.signal]);
      const batchSize = batchSizeFor(this.rate);
      for await (const batch of this.store.subscribeAll({ after, batchSize, signal: ended })) {
        await Promise.all(this.#lanes.map((lane) => lane.take(batch)));
        await pace.after(batch.length, signal);
        if (this.#hasReached(batch, target)) break;
      }
      signal.throwIfAborted();
    } finally {
      end.abort();
      await this.#drain();
    }
  }

  /** Waits for every lane, then throws the first failure. */
  async #drain(): Promise<void> {
    const drained = await Promise.allSettled(this.#lanes.map((lane) => lane.drain()));
    const failed = drained.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  #hasReached(batch: readonly StoredEvent[], target: CheckpointPosition): boolean {
    const last: Position | undefined = batch.at(-1)?.position;
    return last !== undefined && this.store.comparePositions(last, target) >= 0;
  }
}

/** A lane of partitions; its batches are applied one after another. */
class Lane {
  #waiting = 0;
  #work: Promise<void> = Promise.resolve();
  #failure: unknown;
  #room: () => void = () => undefined;

  constructor(
    private readonly worker: Worker,
    readonly partitions: Partitions,
  ) {}

  /** Resolves when there is room for another batch; throws the failure of an earlier batch. */
  async take(batch: readonly StoredEvent[]): Promise<void> {
    this.#waiting++;
    this.#work = this.#work.then(() => this.#apply(batch));
    while (this.#waiting >= maxWaiting && this.#failure === undefined)
      await new Promise<void>((resolve) => (this.#room = resolve));
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Resolves when no batch is queued; throws the first failure. */
  async drain(): Promise<void> {
    await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** After a failure no more batches are applied: the rows stay at their checkpoint. */
  async #apply(batch: readonly StoredEvent[]): Promise<void> {
    try {
      if (this.#failure === undefined && !(await applyBatch(this.worker, this.partitions, batch)))
        throw new RebuildLostError('another process has taken this rebuild over');
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#waiting--;
      this.#room();
    }
  }
}

/** A rate-limited copy uses small batches, to avoid bursts. */
function batchSizeFor(rate: number | null): number {
  return rate === null
    ? largeBatch
    : Math.min(Math.max(Math.ceil(rate / 4), smallBatch), largeBatch);
}

/** Limits the average rate of the whole copy, in events per second. */
class Pace {
  readonly #started = performance.now();
  #events = 0;

  constructor(private readonly rate: number | null) {}

  async after(events: number, signal: AbortSignal): Promise<void> {
    this.#events += events;
    if (this.rate === null) return;
    const early = (this.#events / this.rate) * 1000 - (performance.now() - this.#started);
    if (early > 0) await wait(early, undefined, { signal });
  }
}
