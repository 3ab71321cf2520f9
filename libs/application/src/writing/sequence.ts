/**
 * An immutable list to which items can be added. Adding an item takes the same time at any length, and does not change
 * the original list.
 */
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
    // If items were already added to this list, the two resulting lists must not share their items.
    const isNewest = this.#items.length === this.length;
    const items = isNewest ? this.#items : this.toArray();
    items.push(item);
    return new Sequence(items, items.length);
  }

  toArray(): Item[] {
    return this.#items.slice(0, this.length);
  }
}
