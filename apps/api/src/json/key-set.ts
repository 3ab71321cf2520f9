/** Most objects have few keys, which are found faster one by one. */
const fewKeys = 16;

/** The keys of an object so far. */
export class KeySet {
  #few: string[] = [];
  #many: Set<string> | undefined;

  has(key: string): boolean {
    return this.#many ? this.#many.has(key) : this.#few.includes(key);
  }

  /** Returns how many there are now. */
  add(key: string): number {
    if (this.#many) return this.#many.add(key).size;
    if (this.#few.push(key) === fewKeys) this.#many = new Set(this.#few);
    return this.#few.length;
  }
}
