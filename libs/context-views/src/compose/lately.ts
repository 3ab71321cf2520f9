/** What was made lately, by name: so many at most, and what was asked for longest ago is forgotten first. */
export class Lately<Made> {
  readonly #made = new Map<string, Made>();

  constructor(private readonly most: number) {}

  find(name: string, make: () => Made): Made {
    const known = this.#made.get(name);
    const made = known ?? make();
    if (known !== undefined) this.#made.delete(name);
    this.#made.set(name, made);
    const [oldest] = this.#made.keys();
    if (this.#made.size > this.most && oldest !== undefined) this.#made.delete(oldest);
    return made;
  }
}
