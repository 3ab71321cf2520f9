import { setImmediate } from 'node:timers/promises';

import { type Outcome, type WaitingRequest } from './waiting-request.js';

/** Answering this many requests takes a few milliseconds. */
const maxAtOnce = 16;

type Delivery = Readonly<{
  requests: IterableIterator<WaitingRequest, undefined>;
  outcome: Outcome;
}>;

/** Answers many requests a few at a time, alternating between deliveries, so that one delivery does not block the others. */
export class AnswerQueue {
  readonly #deliveries: Delivery[] = [];
  #isRunning = false;

  add(requests: readonly WaitingRequest[], outcome: Outcome): void {
    if (requests.length === 0) return;
    this.#deliveries.push({ requests: requests.values(), outcome });
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#deliveries.shift(); next; next = this.#deliveries.shift()) {
      if (answerSome(next)) this.#deliveries.push(next);
      if (this.#deliveries.length > 0) await setImmediate();
    }
    this.#isRunning = false;
  }
}

/** False once all requests are answered. */
function answerSome({ requests, outcome }: Delivery): boolean {
  for (let left = maxAtOnce; left > 0; left--) {
    const { done, value } = requests.next();
    if (done) return false;
    value.settle(outcome);
  }
  return true;
}
