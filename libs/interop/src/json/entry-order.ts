/** Events of a document, by when they are written: what the work needs, what happened, how it stands. */
export const stages = { needs: 0, history: 1, current: 2 } as const;

/** Orders the entries of one list: by time, but none before the entry above it. */
export class EntryOrder {
  #latest = -Infinity;

  /** For an entry with this time; without one it is as old as the entry above it. */
  next(timestamp: string | undefined): readonly [number, number] {
    if (timestamp !== undefined) this.#latest = Math.max(this.#latest, Date.parse(timestamp));
    return [stages.history, this.#latest];
  }
}
