type SubscriptionLimits = Readonly<{
  /** Maximum number of places of all holders. */
  maxTotal: number;
  /** Maximum number of places of one holder. */
  maxOfHolder: number;
}>;

/** Limits open subscriptions in total and for each holder, so that one holder cannot use up all places. */
export class SubscriptionPlaces {
  readonly #taken = new Map<string, number>();
  #count = 0;

  constructor(private readonly limits: SubscriptionLimits) {}

  /** Returns a function that releases the places, or the reason if there are not enough. A subscription without resources takes one place. */
  take(holder: string, resources: number): (() => void) | string {
    const { maxTotal, maxOfHolder } = this.limits;
    const current = this.#taken.get(holder) ?? 0;
    const places = Math.max(1, resources);
    if (current + places > maxOfHolder)
      return `This key has ${current} of at most ${maxOfHolder} subscriptions open: end one first`;
    if (this.#count + places > maxTotal) return 'Too many subscriptions are open';
    this.#add(holder, places);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(holder, -places);
      isTaken = false;
    };
  }

  #add(holder: string, change: number): void {
    const current = (this.#taken.get(holder) ?? 0) + change;
    if (current === 0) this.#taken.delete(holder);
    else this.#taken.set(holder, current);
    this.#count += change;
  }
}
