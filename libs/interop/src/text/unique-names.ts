/** Unique names: a repeated name gets `-2`, `-3` and so on, because `~` and digits at the end mark revisions. */
export class UniqueNames {
  readonly #used = new Set<string>();
  /** The last number that was added to a repeated name. */
  readonly #last = new Map<string, number>();

  /** The name itself if it is not used yet. */
  take(name: string): string {
    let unused = name;
    let number = this.#last.get(name) ?? 1;
    while (this.#used.has(unused)) unused = `${name}-${++number}`;
    this.#last.set(name, number);
    this.#used.add(unused);
    return unused;
  }

  has(name: string): boolean {
    return this.#used.has(name);
  }
}
