/** The least recently used entry is dropped first. Smaller than those of packages: each entry of a timeline may have some. */
export class LruCache<Made> {
  readonly #made = new Map<string, Made>();

  constructor(private readonly maxEntries: number) {}

  /** What was made under a name, unless it is no longer valid. */
  find<Wanted extends Made | undefined>(
    name: string,
    make: () => Wanted,
    isValid: (known: Made) => boolean = () => true,
  ): Made | Wanted {
    const known = this.#made.get(name);
    const made = known !== undefined && isValid(known) ? known : make();
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
