/** Names that are given once: one that is taken gets `-2`, `-3` and so on, so that none ends in `~` and digits, as revisions do. */
export class UniqueNames {
  readonly #taken = new Set<string>();
  /** The number that a repeated name got last. */
  readonly #last = new Map<string, number>();

  /** The name itself if nothing has it. */
  take(name: string): string {
    let free = name;
    let number = this.#last.get(name) ?? 1;
    while (this.#taken.has(free)) free = `${name}-${++number}`;
    this.#last.set(name, number);
    this.#taken.add(free);
    return free;
  }

  has(name: string): boolean {
    return this.#taken.has(name);
  }
}
