import { type WaitingRequest } from './waiting-request.js';

const slotMs = 100;

/** When the time of waiting requests is over, to a tenth of a second and never too early: one timer for all of them. */
export class Deadlines {
  readonly #slots = new Map<number, Set<WaitingRequest>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly reached: (requests: Iterable<WaitingRequest>) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A request with an infinite deadline has none. */
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
    this.#rest();
  }

  /** Reports the requests whose time is over by now. */
  pass(): void {
    const reached = Math.floor(this.now() / slotMs);
    for (const [slot, requests] of this.#slots) {
      if (slot > reached) continue;
      this.#slots.delete(slot);
      this.reached(requests);
    }
    this.#rest();
  }

  #rest(): void {
    if (this.#slots.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function slotOf({ deadline }: WaitingRequest): number {
  return Math.ceil(deadline / slotMs);
}
