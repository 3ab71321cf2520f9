import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import {
  type ContextFilter,
  type ListPlace,
  type Search,
  SearchLag,
  findPlaceBehind,
  listContexts,
  matchesSearch,
} from '#read-models';
import { type ContextHead, searchedKinds } from '#shared-context';
import { type Gate, GatedReader, isShown } from '#visibility';

import { DATABASE } from '../tokens.js';

type GatedListRequest = Readonly<{
  gate: Gate;
  search: Search;
  filter: ContextFilter;
  page: Readonly<{ after: ListPlace | undefined; limit: number }>;
}>;

type ListRequest = Readonly<{
  filter: ContextFilter;
  search: Search | undefined;
  page: GatedListRequest['page'];
}>;

/** The contexts of a page, and the place from which there may be more. */
type FoundPage = Readonly<{ heads: readonly ContextHead[]; next: ListPlace | undefined }>;

const candidatePageSize = 50;
/** One request looks through what is found of so many listed contexts; its cursor goes on behind them. */
const mostListed = 2_000;

/** Finds contexts: who sees everything by the rows of the search, others by what they see of each context. */
@Injectable()
export class ContextFinder {
  readonly #searchLag: SearchLag;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly gated: GatedReader,
  ) {
    this.#searchLag = new SearchLag(db);
  }

  async find({ filter, search, page }: ListRequest, gate: Gate | undefined): Promise<FoundPage> {
    if (gate && search) return this.#lookThrough({ gate, search, filter, page });
    const found = await listContexts(
      this.db,
      { ...filter, search },
      { ...page, limit: page.limit + 1 },
    );
    const heads = found.slice(0, page.limit);
    return { heads, next: found.length > page.limit ? heads.at(-1) : undefined };
  }

  /** How many versions of contexts the rows of the search are behind those that are listed. */
  lag(workspace: string): Promise<number> {
    return this.#searchLag.of(workspace);
  }

  /**
   * Rows of the search name the contexts in which what is looked for stood at any time. Where a page ends without
   * being full says nothing of what is not seen: behind so many listed contexts, whatever they hold.
   */
  async #lookThrough({ gate, search, filter, page }: GatedListRequest): Promise<FoundPage> {
    const window = { after: page.after, count: mostListed };
    const until = await findPlaceBehind(this.db, filter, window);
    const found: ContextHead[] = [];
    let after = page.after;
    for (;;) {
      const candidates = await listContexts(
        this.db,
        { ...filter, candidatesOf: search },
        { after, until, limit: candidatePageSize },
      );
      for (const head of candidates) {
        after = head;
        if (!(await this.#matches(gate, search, head))) continue;
        if (found.length === page.limit) return { heads: found, next: found.at(-1) };
        found.push(head);
      }
      if (candidates.length < candidatePageSize) return { heads: found, next: until };
    }
  }

  async #matches(gate: Gate, search: Search, { workspace, contextId }: ContextHead) {
    const id = { workspace, contextId };
    const { state } = await this.gated.read({ id, gate }, { kinds: searchedKinds });
    return matchesSearch(
      search,
      [...state.values()].filter((item) => isShown(gate, item)),
    );
  }
}
