import { type EventStore, type Position, type StoredEvent } from '#event-sourcing';

import { partitionOf } from './partition.js';
import { type CheckpointPosition, type OwnedPartition } from './partition-rows.js';

/** The partitions of a process and the position of each. */
export class Partitions {
  #all: readonly OwnedPartition[];

  constructor(
    owned: readonly OwnedPartition[],
    private readonly store: Pick<EventStore, 'comparePositions'>,
  ) {
    this.#all = owned;
  }

  get all(): readonly OwnedPartition[] {
    return this.#all;
  }

  /** The lowest position, from which all partitions can continue. */
  earliest(): CheckpointPosition {
    const [first = 'start'] = this.#all
      .map(({ position }) => position)
      .toSorted((left, right) => this.store.comparePositions(left, right));
    return first;
  }

  /** The events of these partitions that are not applied yet, in order. */
  pending(batch: readonly StoredEvent[]): readonly StoredEvent[] {
    const positions = new Map(this.#all.map(({ partition, position }) => [partition, position]));
    return batch.filter(({ stream, position }) => {
      const reached = positions.get(partitionOf(stream));
      return reached !== undefined && this.store.comparePositions(position, reached) > 0;
    });
  }

  /** The partitions that a batch up to `position` advances. */
  behind(position: Position): readonly OwnedPartition[] {
    return this.#all.filter((owned) => this.store.comparePositions(owned.position, position) < 0);
  }

  advance(position: Position): void {
    const behind = new Set(this.behind(position));
    this.#all = this.#all.map((owned) => (behind.has(owned) ? { ...owned, position } : owned));
  }
}
