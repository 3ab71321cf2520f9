import { waitUnless } from './waiting.js';

/** A gate that can be closed: callers wait until it is opened. */
export class Gate {
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
  }

  open(): void {
    this.#isClosed = false;
    for (const resume of Array.from(this.#waiting)) resume();
  }

  /** Resolves at once while the gate is open; otherwise when it opens, or when the call is cancelled. */
  async pass(caller: AbortSignal): Promise<void> {
    while (this.#isClosed && !caller.aborted)
      await waitUnless(caller, (opened) => {
        this.#waiting.add(opened);
        return () => void this.#waiting.delete(opened);
      });
  }
}
