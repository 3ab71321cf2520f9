/** The newest position that this process knows, and the callers that wait for a newer one. */
export class LogSignal {
  #latest = 0n;
  readonly #sleepers = new Set<() => void>();

  get latest(): bigint {
    return this.#latest;
  }

  announce(position: bigint): void {
    if (position <= this.#latest) return;
    this.#latest = position;
    for (const wake of this.#sleepers) wake();
  }

  /** Resolves when a position after `position` is announced, after `limitMs`, or with `signal`. */
  async beyond(position: bigint, limitMs: number, signal: AbortSignal): Promise<void> {
    if (this.#latest > position || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const wake = (): void => {
        if (this.#latest > position) done();
      };
      const timer = setTimeout(done, limitMs);
      this.#sleepers.add(wake);
      signal.addEventListener('abort', done);
    });
  }
}
