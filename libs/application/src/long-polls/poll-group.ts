import { type Question } from './question.js';
import { type WaitingRequest } from './waiting-request.js';

/** Requests that wait for the same question, the oldest first. */
export class PollGroup {
  readonly requests = new Set<WaitingRequest>();
  #due: WaitingRequest[] = [];
  #running: Promise<unknown> | undefined;
  #next: Promise<unknown> | undefined;

  constructor(readonly question: Question<unknown>) {}

  /**
   * Returns the result of a read that begins now, or after the running one. All calls until it begins share it, so that one
   * read runs at a time for any number of requests. `settle` runs after the read, before the callers get its result.
   */
  readShared(settle: () => Promise<void>): Promise<unknown> {
    this.#next ??= this.#readNext(this.#running, settle);
    return this.#next;
  }

  async #readNext(before: Promise<unknown> | undefined, settle: () => Promise<void>) {
    // The result or error of the previous read belongs to the requests that share it.
    await Promise.allSettled([before]);
    this.#next = undefined;
    const reading = this.question.read(() => false);
    this.#running = reading;
    try {
      return await reading;
    } finally {
      if (this.#running === reading) this.#running = undefined;
      await settle();
    }
  }

  /** Marks a request whose deadline has passed: the next read answers it, even with an empty answer. */
  addDue(request: WaitingRequest): void {
    this.#due.push(request);
  }

  /** Removes and returns the requests among these whose deadline has passed. */
  takeDue(requests: ReadonlySet<WaitingRequest>): readonly WaitingRequest[] {
    const due = this.#due.filter((request) => requests.has(request));
    this.#due = this.#due.filter((request) => !requests.has(request));
    return due;
  }
}
