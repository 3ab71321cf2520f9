/** Any number of values per name; a name without values takes no memory. */
export class Multimap<Value> {
  readonly #sets = new Map<string, Set<Value>>();

  /** The number of names. */
  get size(): number {
    return this.#sets.size;
  }

  get(name: string): Iterable<Value> {
    return this.#sets.get(name) ?? [];
  }

  count(name: string): number {
    return this.#sets.get(name)?.size ?? 0;
  }

  names(): Iterable<string> {
    return this.#sets.keys();
  }

  *values(): Generator<Value> {
    for (const set of this.#sets.values()) yield* set;
  }

  add(name: string, value: Value): void {
    const set = this.#sets.get(name) ?? new Set();
    this.#sets.set(name, set.add(value));
  }

  delete(name: string, value: Value): void {
    const set = this.#sets.get(name);
    set?.delete(value);
    if (set?.size === 0) this.#sets.delete(name);
  }
}
