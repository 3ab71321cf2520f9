import { ServerBusyError, TooManyWaitingError } from '../errors.js';
import { Multimap } from './multimap.js';
import { type WaitingRequest } from './waiting-request.js';

/** How many requests of one key may wait at a time, in one process. */
export const maxWaitingOfKey = 1_000;
/** How many requests may wait at a time in one process. */
export const maxWaiting = 10_000;

/** The waiting requests of this process, by holder and by key. */
export class WaitLimits {
  readonly #byHolder = new Multimap<WaitingRequest>();
  readonly #byKey = new Multimap<WaitingRequest>();
  #count = 0;

  /** Throws {@link TooManyWaitingError} or {@link ServerBusyError} if a limit is reached. */
  add(request: WaitingRequest): void {
    if (request.isLimited) this.#countWithinLimits(request);
    this.#byHolder.add(request.holder, request);
    if (request.keyId !== null) this.#byKey.add(request.keyId, request);
  }

  /** The request must have been added. */
  delete(request: WaitingRequest): void {
    if (request.isLimited) this.#count--;
    this.#byHolder.delete(request.holder, request);
    if (request.keyId !== null) this.#byKey.delete(request.keyId, request);
  }

  get count(): number {
    return this.#count;
  }

  requests(): Iterable<WaitingRequest> {
    return this.#byHolder.values();
  }

  /** Keys with waiting requests. */
  keyIds(): readonly string[] {
    return [...this.#byKey.names()];
  }

  ofKey(keyId: string): readonly WaitingRequest[] {
    return [...this.#byKey.get(keyId)];
  }

  #countWithinLimits(request: WaitingRequest): void {
    if (this.#byHolder.count(request.holder) >= maxWaitingOfKey)
      throw new TooManyWaitingError(
        `this key has ${maxWaitingOfKey} requests waiting, which is its limit: wait for an answer first, or send the request without wait`,
      );
    if (this.#count >= maxWaiting)
      throw new ServerBusyError(
        `this server has ${maxWaiting} requests waiting, which is its limit: repeat the request after Retry-After, or send it without wait`,
      );
    this.#count++;
  }
}
