/** A map that forgets its oldest entries. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();

  constructor(private readonly most: number) {}

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Makes the entry the newest one. */
  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.most && !oldest.done) this.#entries.delete(oldest.value);
  }
}
