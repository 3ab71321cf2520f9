/** What was made of large things lately, up to so much in all; the newest is kept, however large it is. */
export class Recently<Key, Made> {
  readonly #made = new Map<Key, Made>();
  #size = 0;

  constructor(
    private readonly most: number,
    private readonly sizeOf: (key: Key) => number,
  ) {}

  has(key: Key): boolean {
    return this.#made.has(key);
  }

  find(key: Key, make: () => Made): Made {
    const known = this.#made.get(key);
    const made = known ?? make();
    if (known !== undefined) this.#made.delete(key);
    else this.#size += this.sizeOf(key);
    this.#made.set(key, made);
    for (const oldest of this.#made.keys()) {
      if (this.#size <= this.most || oldest === key) break;
      this.#made.delete(oldest);
      this.#size -= this.sizeOf(oldest);
    }
    return made;
  }
}
