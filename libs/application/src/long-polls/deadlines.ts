import { type WaitingRequest } from './waiting-request.js';

const slotMs = 100;

/** Reports the deadlines of waiting requests, at most a tenth of a second late and never early, with one timer for all. */
export class Deadlines {
  readonly #slots = new Map<number, Set<WaitingRequest>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly reached: (requests: Iterable<WaitingRequest>) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Ignores a request with an infinite deadline. */
  add(request: WaitingRequest): void {
    if (request.deadline === Number.POSITIVE_INFINITY) return;
    const slot = slotOf(request);
    const requests = this.#slots.get(slot) ?? new Set();
    this.#slots.set(slot, requests.add(request));
    this.#timer ??= setInterval(() => this.pass(), slotMs);
  }

  delete(request: WaitingRequest): void {
    const slot = slotOf(request);
    const requests = this.#slots.get(slot);
    requests?.delete(request);
    if (requests?.size === 0) this.#slots.delete(slot);
    this.#stopIfIdle();
  }

  /** Reports the requests whose deadline has passed. */
  pass(): void {
    const reached = Math.floor(this.now() / slotMs);
    for (const [slot, requests] of this.#slots) {
      if (slot > reached) continue;
      this.#slots.delete(slot);
      this.reached(requests);
    }
    this.#stopIfIdle();
  }

  #stopIfIdle(): void {
    if (this.#slots.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function slotOf({ deadline }: WaitingRequest): number {
  return Math.ceil(deadline / slotMs);
}
