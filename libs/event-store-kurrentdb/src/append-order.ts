/** Work on the same stream goes one after another, in the order it was asked for. */
export class AppendOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  inTurn<T>(stream: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(stream) ?? Promise.resolve();
    // Whoever is before tells its own caller how it ended.
    const mine = before.then(work, work);
    this.#last.set(stream, mine);
    const leave = (): void => {
      if (this.#last.get(stream) === mine) this.#last.delete(stream);
    };
    mine.then(leave, leave);
    return mine;
  }

  /** Resolves when nothing is on its way any more. */
  async drained(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}
