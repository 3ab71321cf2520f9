import { ServerBusyError, TooManyWaitingError } from '../errors.js';

const maxWaiting = 2_000;
const maxWaitingOfKey = 1_000;

/** Limits the number of waiting claims in this process, in all and per key. */
export class WaitingClaims {
  readonly #byHolder = new Map<string, number>();
  #count = 0;

  /** Throws TooManyWaitingError or ServerBusyError if a limit is reached. */
  add(holder: string): void {
    const own = this.#byHolder.get(holder) ?? 0;
    if (own >= maxWaitingOfKey)
      throw new TooManyWaitingError(
        `this key has ${maxWaitingOfKey} workers waiting, which is its limit: wait for an answer first, or send the request without wait`,
      );
    if (this.#count >= maxWaiting)
      throw new ServerBusyError(
        `this server has ${maxWaiting} workers waiting, which is its limit: repeat the request after Retry-After, or send it without wait`,
      );
    this.#byHolder.set(holder, own + 1);
    this.#count += 1;
  }

  delete(holder: string): void {
    const left = (this.#byHolder.get(holder) ?? 1) - 1;
    if (left > 0) this.#byHolder.set(holder, left);
    else this.#byHolder.delete(holder);
    this.#count -= 1;
  }
}
