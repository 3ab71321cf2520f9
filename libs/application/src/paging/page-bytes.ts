/** The maximum size of a page, and of a list of missed events, for any `limit`; the cursor continues after it. */
export const maxPageBytes = 8 * 1_048_576;

/** The size of the visible payload of an event as JSON. */
export function shownBytes({ data }: Readonly<{ data: unknown }>): number {
  return Buffer.byteLength(JSON.stringify(data));
}

/** How many of the first items fit into a page; at least one, so that every page makes progress. */
export function withinBytes<Item>(items: readonly Item[], bytesOf: (item: Item) => number): number {
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    bytes += bytesOf(item);
    if (bytes > maxPageBytes) return Math.max(index, 1);
  }
  return items.length;
}

/** A page that is filled item by item, up to its limits of items and bytes. */
export class GrowingPage<Item> {
  readonly items: Item[] = [];
  #bytes = 0;

  constructor(
    private readonly limit: number,
    private readonly maxBytes = maxPageBytes,
  ) {}

  /** Adds the item; false if the page is full. The first item always fits, so that every page makes progress. */
  takes(item: Item, bytes: number): boolean {
    const isFull = this.items.length >= this.limit || this.#bytes + bytes > this.maxBytes;
    if (this.items.length > 0 && isFull) return false;
    this.items.push(item);
    this.#bytes += bytes;
    return true;
  }
}
