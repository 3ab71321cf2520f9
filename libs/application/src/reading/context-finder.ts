import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Gate, isShown } from '#context-views';
import { type Database } from '#database';
import {
  type ContextFilter,
  type ContextHead,
  type ListPlace,
  type Search,
  SearchLag,
  listContexts,
  matchesSearch,
  searchedKinds,
} from '#read-models';

import { GatedReader } from '../audiences/gated-reader.js';
import { DATABASE } from '../tokens.js';

type Asked = Readonly<{
  gate: Gate;
  search: Search;
  filter: ContextFilter;
  page: Readonly<{ after: ListPlace | undefined; limit: number }>;
}>;

type Listed = Readonly<{
  filter: ContextFilter;
  search: Search | undefined;
  page: Asked['page'];
}>;

/** The contexts of a page, and the place from which there may be more. */
export type FoundPage = Readonly<{ heads: readonly ContextHead[]; next: ContextHead | undefined }>;

const lookedThroughAtOnce = 50;
/** One request looks through so many contexts; its cursor goes on behind them. */
const mostLookedThrough = 500;

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

  async find({ filter, search, page }: Listed, gate: Gate | undefined): Promise<FoundPage> {
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

  /** Rows of the search name the contexts in which what is looked for stood at any time. */
  async #lookThrough({ gate, search, filter, page }: Asked): Promise<FoundPage> {
    const found: ContextHead[] = [];
    let last: ContextHead | undefined;
    for (let looked = 0; looked < mostLookedThrough; looked += lookedThroughAtOnce) {
      const candidates = await listContexts(
        this.db,
        { ...filter, candidatesOf: search },
        { after: last ?? page.after, limit: lookedThroughAtOnce },
      );
      for (const head of candidates) {
        if (found.length === page.limit) return { heads: found, next: last };
        if (await this.#matches(gate, search, head)) found.push(head);
        last = head;
      }
      if (candidates.length < lookedThroughAtOnce) return { heads: found, next: undefined };
    }
    return { heads: found, next: last };
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
