import { ServerBusyError, TooManyWaitingError } from '../errors.js';
import { Multimap } from './multimap.js';
import { type WaitingRequest } from './waiting-request.js';

/** How many requests of one key may wait at a time, in one process. */
export const maxWaitingOfKey = 1_000;
/** How many requests may wait at a time in one process. */
export const maxWaiting = 10_000;

/** The requests that wait in this process, by whoever sent them. */
export class WaitLimits {
  readonly #byHolder = new Multimap<WaitingRequest>();
  readonly #byKey = new Multimap<WaitingRequest>();
  #count = 0;

  /** Throws {@link TooManyWaitingError} or {@link ServerBusyError} if there is no place left. */
  add(request: WaitingRequest): void {
    if (request.takesPlace) this.#takePlace(request);
    this.#byHolder.add(request.holder, request);
    if (request.keyId !== null) this.#byKey.add(request.keyId, request);
  }

  /** Gives the place of a request that was added back. */
  delete(request: WaitingRequest): void {
    if (request.takesPlace) this.#count--;
    this.#byHolder.delete(request.holder, request);
    if (request.keyId !== null) this.#byKey.delete(request.keyId, request);
  }

  get count(): number {
    return this.#count;
  }

  requests(): Iterable<WaitingRequest> {
    return this.#byHolder.values();
  }

  /** Keys that have requests waiting. */
  keyIds(): readonly string[] {
    return [...this.#byKey.names()];
  }

  ofKey(keyId: string): readonly WaitingRequest[] {
    return [...this.#byKey.get(keyId)];
  }

  #takePlace(request: WaitingRequest): void {
    if (this.#byHolder.count(request.holder) >= maxWaitingOfKey)
      throw new TooManyWaitingError(
        `this key has ${maxWaitingOfKey} requests waiting, as many as it may: let one be answered first, or ask without wait`,
      );
    if (this.#count >= maxWaiting)
      throw new ServerBusyError(
        `this server has ${maxWaiting} requests waiting, as many as it holds: repeat the request after Retry-After, or ask without wait`,
      );
    this.#count++;
  }
}
