/** The order in which events of a document are written: requirements, history, current state. */
export const stages = { needs: 0, history: 1, current: 2 } as const;

/** Orders the entries of one list by time, but none before the entry above it. */
export class EntryOrder {
  #latest = -Infinity;

  /** The order of an entry with this time; without a time it is that of the entry above it. */
  next(timestamp: string | undefined): readonly [number, number] {
    if (timestamp !== undefined) this.#latest = Math.max(this.#latest, Date.parse(timestamp));
    return [stages.history, this.#latest];
  }
}
