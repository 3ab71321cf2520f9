import { OverloadedError } from '../problems/worker.errors.js';

export type AdmissionLimits = Readonly<{
  /** How much runs at once. */
  slots: number;
  /** How many of the slots one key may have. */
  slotsPerKey: number;
  /** How many requests wait at most, of all keys and of one. */
  waiting: number;
  waitingPerKey: number;
  waitMs: number;
}>;

/** Gives the slot back; calling it again does nothing. */
export type Release = () => void;

type Ticket = {
  readonly key: string;
  readonly start: (release: Release) => void;
  /** Whether a slot is of use to the request by now. */
  isReady: boolean;
};

/**
 * A queue before expensive work. Keys take turns, whoever came first within each, and none takes every slot. Memory that
 * the work needs is bounded by the number of slots.
 */
export class AdmissionQueue {
  readonly #running = new Map<string, number>();
  /** In the order in which the keys are next. */
  readonly #waiting = new Map<string, Set<Ticket>>();
  #taken = 0;
  #waitingCount = 0;

  constructor(private readonly limits: AdmissionLimits) {}

  /**
   * Waits for a slot, which it takes only once `after` has resolved: until then the request waits like any other. Throws
   * {@link OverloadedError} if too many wait already or none is free in time, and the reason of the signal if that aborts
   * first. `after` must not reject.
   */
  async admit(key: string, signal: AbortSignal, after?: Promise<void>): Promise<Release> {
    signal.throwIfAborted();
    if (!after && this.#hasRoom(key)) return this.#start(key);
    const { waiting, waitingPerKey, waitMs } = this.limits;
    const others = this.#waiting.get(key)?.size ?? 0;
    if (this.#waitingCount >= waiting || others >= waitingPerKey) throw new OverloadedError();
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const ticket: Ticket = { key, start: resolve, isReady: !after };
    // It leaves the queue at once: a slot that it were given after that would be lost.
    const leave = (reason: unknown) => {
      this.#dequeue(ticket);
      reject(reason);
    };
    const timer = setTimeout(() => leave(new OverloadedError()), waitMs);
    const abort = () => leave(signal.reason);
    signal.addEventListener('abort', abort);
    this.#enqueue(ticket);
    void after?.then(() => this.#makeReady(ticket));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  #makeReady(ticket: Ticket): void {
    ticket.isReady = true;
    this.#startNext();
  }

  #enqueue(ticket: Ticket): void {
    const tickets = this.#waiting.get(ticket.key) ?? new Set();
    this.#waiting.set(ticket.key, tickets.add(ticket));
    this.#waitingCount += 1;
  }

  #dequeue(ticket: Ticket): void {
    const tickets = this.#waiting.get(ticket.key);
    if (!tickets?.delete(ticket)) return;
    this.#waitingCount -= 1;
    if (tickets.size === 0) this.#waiting.delete(ticket.key);
  }

  #hasRoom(key: string): boolean {
    const { slots, slotsPerKey } = this.limits;
    return this.#taken < slots && (this.#running.get(key) ?? 0) < slotsPerKey;
  }

  #start(key: string): Release {
    this.#taken += 1;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#end(key);
    };
  }

  #end(key: string): void {
    this.#taken -= 1;
    const left = (this.#running.get(key) ?? 1) - 1;
    if (left === 0) this.#running.delete(key);
    else this.#running.set(key, left);
    this.#startNext();
  }

  #startNext(): void {
    for (const [key, tickets] of Array.from(this.#waiting)) {
      const ticket = tickets.values().find(({ isReady }) => isReady);
      if (!ticket || !this.#hasRoom(key)) continue;
      this.#dequeue(ticket);
      // The other keys are next now.
      if (this.#waiting.delete(key)) this.#waiting.set(key, tickets);
      ticket.start(this.#start(key));
    }
  }
}
