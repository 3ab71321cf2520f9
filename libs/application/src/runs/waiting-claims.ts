import { ServerBusyError, TooManyWaitingError } from '../errors.js';

const maxWaiting = 2_000;
const maxWaitingOfKey = 1_000;

/** Limits the number of claims that wait in this process, in all and of one key. */
export class WaitingClaims {
  readonly #byHolder = new Map<string, number>();
  #count = 0;

  /** Throws TooManyWaitingError or ServerBusyError if there is no place left. */
  add(holder: string): void {
    const own = this.#byHolder.get(holder) ?? 0;
    if (own >= maxWaitingOfKey)
      throw new TooManyWaitingError(
        `this key has ${maxWaitingOfKey} workers waiting, as many as it may: let one be answered first, or ask without wait`,
      );
    if (this.#count >= maxWaiting)
      throw new ServerBusyError(
        `this server has ${maxWaiting} workers waiting, as many as it holds: repeat the request after Retry-After, or ask without wait`,
      );
    this.#byHolder.set(holder, own + 1);
    this.#count += 1;
  }

  /** Gives a place back. */
  delete(holder: string): void {
    const left = (this.#byHolder.get(holder) ?? 1) - 1;
    if (left > 0) this.#byHolder.set(holder, left);
    else this.#byHolder.delete(holder);
    this.#count -= 1;
  }
}
