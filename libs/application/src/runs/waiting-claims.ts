import { ServerBusyError, TooManyWaitingError } from '../errors.js';

const mostWaiting = 2_000;
const mostWaitingOfKey = 1_000;

/** Limits the number of claims that wait in this process, in all and of one key. */
export class WaitingClaims {
  readonly #byHolder = new Map<string, number>();
  #count = 0;

  /** Throws TooManyWaitingError or ServerBusyError if there is no place left. */
  add(holder: string): void {
    const own = this.#byHolder.get(holder) ?? 0;
    if (own >= mostWaitingOfKey)
      throw new TooManyWaitingError(
        `this key has ${mostWaitingOfKey} workers waiting, as many as it may: let one be answered first, or ask without wait`,
      );
    if (this.#count >= mostWaiting)
      throw new ServerBusyError(
        `this server has ${mostWaiting} workers waiting, as many as it holds: repeat the request after Retry-After, or ask without wait`,
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
