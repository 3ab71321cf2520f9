/**
 * The least recently used entry is dropped first. For what is made of one entry, part or group of a timeline, of which there are
 * thousands: an empty cache of the package `lru-cache` takes two kilobytes, eight times as many as this one.
 */
export class LruCache<Made> {
  readonly #made = new Map<string, Made>();

  constructor(private readonly maxEntries: number) {}

  /** What was made under a name. */
  find<Wanted extends Made | undefined>(name: string, make: () => Wanted): Made | Wanted {
    const made = this.#made.get(name) ?? make();
    if (made !== undefined) this.#keep(name, made);
    return made;
  }

  #keep(name: string, made: Made): void {
    this.#made.delete(name);
    this.#made.set(name, made);
    const [oldest] = this.#made.keys();
    if (this.#made.size > this.maxEntries && oldest !== undefined) this.#made.delete(oldest);
  }
}
