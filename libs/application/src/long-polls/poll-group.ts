import { type Question } from './question.js';
import { type WaitingRequest } from './waiting-request.js';

/** Requests that wait for the same, the one that has waited longest first. */
export class PollGroup {
  readonly requests = new Set<WaitingRequest>();
  #due: WaitingRequest[] = [];

  constructor(readonly question: Question<unknown>) {}

  /** The time of this request is over: the next read answers it, whatever it finds. */
  addDue(request: WaitingRequest): void {
    this.#due.push(request);
  }

  takeDue(): readonly WaitingRequest[] {
    const due = this.#due;
    this.#due = [];
    return due;
  }
}
