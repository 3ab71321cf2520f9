/** No page and no list of missed events grows beyond this, whatever its `limit`; the cursor goes on from there. */
export const maxPageBytes = 8 * 1_048_576;

/** Bytes of what is shown of an event: not all of its payload may be. */
export function shownBytes({ data }: Readonly<{ data: unknown }>): number {
  return Buffer.byteLength(JSON.stringify(data));
}

/** How many items from the first on fit into a page; at least one, so that every page goes on. */
export function withinBytes<Item>(items: readonly Item[], bytesOf: (item: Item) => number): number {
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    bytes += bytesOf(item);
    if (bytes > maxPageBytes) return Math.max(index, 1);
  }
  return items.length;
}

/** A page that is filled item by item, as far as its limit and the bytes of a page allow. */
export class GrowingPage<Item> {
  readonly items: Item[] = [];
  #bytes = 0;

  constructor(
    private readonly limit: number,
    private readonly maxBytes = maxPageBytes,
  ) {}

  /** False if the page is full: the item begins the next one. Takes at least one, so that every page goes on. */
  takes(item: Item, bytes: number): boolean {
    const isFull = this.items.length >= this.limit || this.#bytes + bytes > this.maxBytes;
    if (this.items.length > 0 && isFull) return false;
    this.items.push(item);
    this.#bytes += bytes;
    return true;
  }
}
