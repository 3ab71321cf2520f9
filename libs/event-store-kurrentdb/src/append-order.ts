/** Runs work on the same stream sequentially, in the order of the calls. */
export class AppendOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  inTurn<T>(stream: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(stream) ?? Promise.resolve();
    // The caller of the work before handles its error.
    const current = before.then(work, work);
    this.#last.set(stream, current);
    const leave = (): void => {
      if (this.#last.get(stream) === current) this.#last.delete(stream);
    };
    current.then(leave, leave);
    return current;
  }

  /** Resolves when no work is in flight. */
  async drained(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}
