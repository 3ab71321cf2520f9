import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import {
  type ContextFilter,
  type ContextListPosition,
  type Search,
  SearchLag,
  findPositionAfter,
  listContexts,
  matchesSearch,
} from '#read-models';
import { type AttentionReason, type ContextHead, searchedKinds } from '#shared-context';
import { type VisibilityFilter, FilteredReader, isShown } from '#visibility';

import { DATABASE } from '../tokens.js';
import { AttentionFinder } from './attention-finder.js';

type FilteredListRequest = Readonly<{
  filter: VisibilityFilter;
  search: Search;
  criteria: ContextFilter;
  page: Readonly<{ after: ContextListPosition | undefined; limit: number }>;
}>;

type ListRequest = Readonly<{
  criteria: ContextFilter;
  search: Search | undefined;
  /** Only contexts that need attention for one of these reasons; for readers who see everything. */
  reasons?: readonly AttentionReason[] | undefined;
  page: FilteredListRequest['page'];
}>;

/**
 * The contexts of a page, with their reasons if contexts that need attention were requested, and the position after
 * which there may be more.
 */
type ContextPage = Readonly<{
  found: readonly Readonly<{ head: ContextHead; attention?: readonly AttentionReason[] }>[];
  next: ContextListPosition | undefined;
}>;

const candidatePageSize = 50;
/** One request examines at most this many listed contexts; its cursor continues after them. */
const maxListed = 2_000;

/**
 * Finds contexts: by the rows of the search for readers who see everything, and by the visible items of each context
 * for others.
 */
@Injectable()
export class ContextFinder {
  readonly #searchLag: SearchLag;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly filteredReader: FilteredReader,
    private readonly attentionFinder: AttentionFinder,
  ) {
    this.#searchLag = new SearchLag(db);
  }

  async find(
    { criteria, search, reasons, page }: ListRequest,
    filter: VisibilityFilter | undefined,
  ): Promise<ContextPage> {
    if (reasons)
      return this.attentionFinder.find({ criteria: { ...criteria, search }, reasons, page });
    if (filter && search) return this.#searchVisible({ filter, search, criteria, page });
    const heads = await listContexts(
      this.db,
      { ...criteria, search },
      { ...page, limit: page.limit + 1 },
    );
    const found = heads.slice(0, page.limit).map((head) => ({ head }));
    return { found, next: heads.length > page.limit ? found.at(-1)?.head : undefined };
  }

  /** The number of versions by which the rows of the search are behind the list. */
  lag(workspace: string): Promise<number> {
    return this.#searchLag.of(workspace);
  }

  /**
   * The rows of the search give the contexts that matched at any time. A page that ends early ends after a fixed number
   * of listed contexts, regardless of their content, so that its end reveals nothing about hidden items.
   */
  async #searchVisible({
    filter,
    search,
    criteria,
    page,
  }: FilteredListRequest): Promise<ContextPage> {
    const window = { after: page.after, count: maxListed };
    const until = await findPositionAfter(this.db, criteria, window);
    const found: Readonly<{ head: ContextHead }>[] = [];
    let after = page.after;
    for (;;) {
      const candidates = await listContexts(
        this.db,
        { ...criteria, candidatesOf: search },
        { after, until, limit: candidatePageSize },
      );
      for (const head of candidates) {
        after = head;
        if (!(await this.#matches(filter, search, head))) continue;
        if (found.length === page.limit) return { found, next: found.at(-1)?.head };
        found.push({ head });
      }
      if (candidates.length < candidatePageSize) return { found, next: until };
    }
  }

  async #matches(filter: VisibilityFilter, search: Search, { workspace, contextId }: ContextHead) {
    const id = { workspace, contextId };
    const { state } = await this.filteredReader.read({ id, filter }, { kinds: searchedKinds });
    return matchesSearch(
      search,
      [...state.values()].filter((item) => isShown(filter, item)),
    );
  }
}
