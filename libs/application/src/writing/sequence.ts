/** A list that only grows. Adding an item costs the same however long the list is, and leaves the list before as it was. */
export class Sequence<Item> {
  readonly #items: Item[];

  private constructor(
    items: Item[],
    readonly length: number,
  ) {
    this.#items = items;
  }

  static empty<Item>(): Sequence<Item> {
    return new Sequence<Item>([], 0);
  }

  with(item: Item): Sequence<Item> {
    // If another list has grown from this one, neither may see what the other adds.
    const isNewest = this.#items.length === this.length;
    const items = isNewest ? this.#items : this.toArray();
    items.push(item);
    return new Sequence(items, items.length);
  }

  toArray(): Item[] {
    return this.#items.slice(0, this.length);
  }
}
