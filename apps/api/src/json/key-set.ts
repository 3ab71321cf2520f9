/** Up to this number of keys, a linear search is faster than a Set. */
const fewKeys = 16;

/** The keys of an object that were read so far. */
export class KeySet {
  #few: string[] = [];
  #many: Set<string> | undefined;

  has(key: string): boolean {
    return this.#many ? this.#many.has(key) : this.#few.includes(key);
  }

  /** Returns the new number of keys. */
  add(key: string): number {
    if (this.#many) return this.#many.add(key).size;
    if (this.#few.push(key) === fewKeys) this.#many = new Set(this.#few);
    return this.#few.length;
  }
}
