/** A header has whole seconds: clocks that differ by less than this are taken to agree. */
const toleranceMs = 1_500;
const halfSecondMs = 500;

/** The server's clock, as far as the `Date` of one of its answers says: deadlines and leases are times of that clock. */
export class ServerClock {
  #offsetMs = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** To be called as soon as an answer is there. */
  set(date: string | undefined): void {
    const stated = Date.parse(date ?? '');
    if (Number.isNaN(stated)) return;
    // The whole second that is stated began up to a second ago.
    const differenceMs = stated + halfSecondMs - this.now();
    this.#offsetMs = Math.abs(differenceMs) <= toleranceMs ? 0 : differenceMs;
  }

  read(): number {
    return this.now() + this.#offsetMs;
  }
}
