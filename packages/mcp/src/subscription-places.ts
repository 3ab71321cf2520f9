type SubscriptionLimits = Readonly<{
  /** At the same time, of all callers. */
  most: number;
  /** At the same time, of one caller. */
  maxOfHolder: number;
}>;

/** Places of open subscriptions. One holder can only take some of them, so that others always find one. */
export class SubscriptionPlaces {
  readonly #taken = new Map<string, number>();
  #count = 0;

  constructor(private readonly limits: SubscriptionLimits) {}

  /** Returns the function that gives the places back, or a text that says why there are not so many. A subscription to nothing takes one. */
  take(holder: string, resources: number): (() => void) | string {
    const { most, maxOfHolder } = this.limits;
    const held = this.#taken.get(holder) ?? 0;
    const places = Math.max(1, resources);
    if (held + places > maxOfHolder)
      return `This key has ${held} of at most ${maxOfHolder} subscriptions open: end one first`;
    if (this.#count + places > most) return 'Too many subscriptions are open';
    this.#add(holder, places);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(holder, -places);
      isTaken = false;
    };
  }

  #add(holder: string, change: number): void {
    const held = (this.#taken.get(holder) ?? 0) + change;
    if (held === 0) this.#taken.delete(holder);
    else this.#taken.set(holder, held);
    this.#count += change;
  }
}
