import { type Page } from './api.js';
import { type HttpClient } from './http-client.js';
import { type Query } from './address.js';

export type ListQuery = Readonly<{ limit?: number | undefined; cursor?: string | undefined }>;
type Options = Readonly<{ signal?: AbortSignal | undefined }>;

/**
 * A list that is read page by page: `for await (const item of list)` reads all, `await list.page()` one page. Nothing is requested
 * before.
 */
export class List<Item> implements AsyncIterable<Item> {
  constructor(
    private readonly http: HttpClient,
    private readonly path: string,
    private readonly query: Query & ListQuery,
    private readonly options: Options = {},
  ) {}

  /** The first page, or the one behind `cursor`. */
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

  /** All items; ends early once there are `most` of them. */
  async all(most = Infinity): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) {
      if (items.length >= most) break;
      items.push(item);
    }
    return items;
  }
}
