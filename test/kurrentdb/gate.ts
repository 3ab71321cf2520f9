import { waitUnless } from './waiting.js';

/** Something that can be held up: whoever comes waits until it is let go. */
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

  /** Resolves at once while it is open, and else when it opens, or when the caller is gone. */
  async pass(caller: AbortSignal): Promise<void> {
    while (this.#isClosed && !caller.aborted)
      await waitUnless(caller, (opened) => {
        this.#waiting.add(opened);
        return () => void this.#waiting.delete(opened);
      });
  }
}
