import { OverloadedError } from '../problems/worker.errors.js';

export type AdmissionLimits = Readonly<{
  /** The maximum number of running requests. */
  slots: number;
  /** The maximum number of slots per key. */
  slotsPerKey: number;
  /** The maximum number of waiting requests, of all keys; `waitingPerKey` of one key. */
  waiting: number;
  waitingPerKey: number;
  waitMs: number;
}>;

/** Frees the slot; calling it again does nothing. */
export type Release = () => void;

type Ticket = {
  readonly key: string;
  readonly start: (release: Release) => void;
  /** Whether the request can use a slot already. */
  isReady: boolean;
};

/**
 * A queue for expensive requests. Keys take turns; requests of one key are admitted in order, and no key gets every slot. The
 * number of slots bounds the memory of the work.
 */
export class AdmissionQueue {
  readonly #running = new Map<string, number>();
  /** In the order of the next turns of the keys. */
  readonly #waiting = new Map<string, Set<Ticket>>();
  #taken = 0;
  #waitingCount = 0;

  constructor(private readonly limits: AdmissionLimits) {}

  /**
   * Waits for a slot, which is assigned only after `after` has resolved; until then the request counts as waiting. Throws
   * {@link OverloadedError} if too many requests wait already or no slot becomes free in time, and the reason of the signal if it
   * aborts first. `after` must not reject.
   */
  async admit(key: string, signal: AbortSignal, after?: Promise<void>): Promise<Release> {
    signal.throwIfAborted();
    if (!after && this.#hasRoom(key)) return this.#start(key);
    const { waiting, waitingPerKey, waitMs } = this.limits;
    const others = this.#waiting.get(key)?.size ?? 0;
    if (this.#waitingCount >= waiting || others >= waitingPerKey) throw new OverloadedError();
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const ticket: Ticket = { key, start: resolve, isReady: !after };
    // Dequeues immediately: a slot that were assigned after the rejection would never be released.
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
    const remaining = (this.#running.get(key) ?? 1) - 1;
    if (remaining === 0) this.#running.delete(key);
    else this.#running.set(key, remaining);
    this.#startNext();
  }

  #startNext(): void {
    for (const [key, tickets] of Array.from(this.#waiting)) {
      const ticket = tickets.values().find(({ isReady }) => isReady);
      if (!ticket || !this.#hasRoom(key)) continue;
      this.#dequeue(ticket);
      // Moves the key to the end, so that the other keys are next.
      if (this.#waiting.delete(key)) this.#waiting.set(key, tickets);
      ticket.start(this.#start(key));
    }
  }
}
