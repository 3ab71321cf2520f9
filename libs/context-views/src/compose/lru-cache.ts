/** The least recently used entry is dropped first. Smaller than those of packages: each entry of a timeline may have some. */
export class LruCache<Made> {
  readonly #made = new Map<string, Made>();

  constructor(private readonly maxEntries: number) {}

  find(name: string, make: () => Made): Made {
    const known = this.#made.get(name);
    const made = known ?? make();
    if (known !== undefined) this.#made.delete(name);
    this.#made.set(name, made);
    const [oldest] = this.#made.keys();
    if (this.#made.size > this.maxEntries && oldest !== undefined) this.#made.delete(oldest);
    return made;
  }
}
