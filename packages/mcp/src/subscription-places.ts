export type SubscriptionLimits = Readonly<{
  /** At the same time, of all callers. */
  most: number;
  /** At the same time, of one caller. */
  mostOfHolder: number;
}>;

/** Places of open subscriptions. One holder can only take some of them, so that others always find one. */
export class SubscriptionPlaces {
  readonly #taken = new Map<string, number>();
  #count = 0;

  constructor(private readonly limits: SubscriptionLimits) {}

  /** Returns the function that gives the place back, or a text that says why there is none. */
  take(holder: string): (() => void) | string {
    const { most, mostOfHolder } = this.limits;
    const held = this.#taken.get(holder) ?? 0;
    if (held >= mostOfHolder)
      return `This key has ${mostOfHolder} subscriptions open, as many as it may`;
    if (this.#count >= most) return 'Too many subscriptions are open';
    this.#add(holder, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(holder, -1);
      isTaken = false;
    };
  }

  #add(holder: string, change: 1 | -1): void {
    const held = (this.#taken.get(holder) ?? 0) + change;
    if (held === 0) this.#taken.delete(holder);
    else this.#taken.set(holder, held);
    this.#count += change;
  }
}
