import { type Page } from './api.js';
import { type HttpClient } from './http-client.js';
import { type Query } from './address.js';

export type ListQuery = Readonly<{ limit?: number | undefined; cursor?: string | undefined }>;
type Options = Readonly<{ signal?: AbortSignal | undefined }>;

/**
 * A list that is read page by page: `for await (const item of list)` reads all, `await list.page()` one page. No request is sent
 * before.
 */
export class List<Item> implements AsyncIterable<Item> {
  constructor(
    private readonly http: HttpClient,
    private readonly path: string,
    private readonly query: Query & ListQuery,
    private readonly options: Options = {},
  ) {}

  /** Reads the first page, or the one after `cursor`. */
  async page(cursor: string | undefined = this.query.cursor): Promise<Page<Item>> {
    const { path, options } = this;
    const query = { ...this.query, cursor };
    return (await this.http.request<Page<Item>>('GET', path, { ...options, query })).body;
  }

  async *pages(): AsyncGenerator<Page<Item>, void, void> {
    let cursor = this.query.cursor;
    do {
      const page = await this.page(cursor);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** Reads all items, or at most `maxItems`. */
  async all(maxItems = Infinity): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) {
      if (items.length >= maxItems) break;
      items.push(item);
    }
    return items;
  }
}
