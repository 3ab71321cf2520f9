import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type JsonObject } from '#event-sourcing';
import { type ListedWork, type WorkFilter, type InboxPosition, listWork } from '#read-models';
import { type Item } from '#shared-context';
import { type VisibilityFilter, FilteredReader, filterItems } from '#visibility';

import { audiencesAddressed } from '../access/addressees.js';
import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { ForbiddenError } from '../errors.js';
import { decodeInboxCursor, encodeInboxCursor } from '../paging/inbox-cursor.js';
import { DATABASE, PROJECTION_LAG, type ProjectionLag } from '../tokens.js';
import { renderInboxEntry } from './inbox-entry.js';
import { type InboxPage, ListInboxQuery } from './list-inbox.query.js';

/** The event that closed some work may be hidden, so requests of narrower audiences read closed work too, up to this limit. */
const candidateLimit = 500;
const candidatePageSize = 50;

@QueryHandler(ListInboxQuery)
export class ListInboxHandler implements IQueryHandler<ListInboxQuery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(PROJECTION_LAG) private readonly lag: ProjectionLag,
    private readonly audiences: Audiences,
    private readonly filteredReader: FilteredReader,
  ) {}

  async execute({ request }: ListInboxQuery) {
    const { principal, agentId, contextId, cursor, limit } = request;
    if (principal.role === 'agent' && principal.agentId !== agentId)
      throw new ForbiddenError('an agent key may read only the inbox of its agent');
    const after = decodeInboxCursor(cursor);
    const access = await this.audiences.open(principal);
    // Read before the rows, so that the reported lag is never less than that of the rows.
    const lag = (await this.lag()) ?? null;
    // An undefined audience sees no context.
    if ('refusal' in access) return { page: { items: [], nextCursor: null }, lag };
    const { filter } = access;
    const workFilter = { ...filterOf(principal, agentId, filter), contextId };
    const page = filter
      ? await this.#filtered(workFilter, filter, { after, limit })
      : await this.#unfiltered(workFilter, { after, limit });
    return { page, lag };
  }

  async #unfiltered(workFilter: WorkFilter, { after, limit }: Page): Promise<InboxPage> {
    const found = await listWork(this.db, workFilter, { after, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1)?.position : undefined;
    return pageOf(
      shown.flatMap((work) => renderInboxEntry(work, work.item)),
      last,
    );
  }

  async #filtered(
    workFilter: WorkFilter,
    filter: VisibilityFilter,
    { after, limit }: Page,
  ): Promise<InboxPage> {
    const items: JsonObject[] = [];
    let last = after;
    let shown = after;
    for (let count = 0; count < candidateLimit; count += candidatePageSize) {
      const page = { after: last, limit: candidatePageSize };
      const candidates = await listWork(this.db, workFilter, page);
      for (const work of candidates) {
        const visible = await this.#visibleItem(filter, work);
        const entries = visible ? renderInboxEntry(work, visible) : [];
        if (entries.length > 0 && items.length === limit) return pageOf(items, shown);
        items.push(...entries);
        last = work.position;
        if (entries.length > 0) shown = work.position;
      }
      if (candidates.length < candidatePageSize) return pageOf(items, undefined);
    }
    return pageOf(items, last);
  }

  /** The item for the audience: if hidden events have changed it, a fold of the visible events alone. */
  async #visibleItem(
    filter: VisibilityFilter,
    { id, item }: ListedWork,
  ): Promise<Item | undefined> {
    const { visible, mixed } = filterItems(filter, [item]);
    if (mixed.size === 0) return visible[0];
    const { kind, key } = item;
    const selection = { keys: [{ kind, key }], bodies: true };
    const { state } = await this.filteredReader.read({ id, filter }, selection);
    return state.get(kind, key);
  }
}

type Page = Readonly<{ after: InboxPosition | undefined; limit: number }>;

/** People who see everything also get the work that any person may do. */
function filterOf(
  principal: Principal,
  agentId: string,
  filter: VisibilityFilter | undefined,
): WorkFilter {
  const { workspace, contexts, workflows, role } = principal;
  const assignees = new Set([agentId, ...namesOf(principal, agentId)]);
  const dues = filter ? [true, false] : [true];
  const own = dues.flatMap((due) => [...assignees].map((assignee) => ({ assignee, due })));
  const others = filter || role === 'agent' ? [] : [{ assignee: null, due: true }];
  return { workspace, any: [...own, ...others], contexts, workflows };
}

/** Work that is addressed to an audience of the key appears only in the inbox of the key's own agent. */
function namesOf(principal: Principal, agentId: string): readonly string[] {
  return principal.agentId === agentId ? audiencesAddressed(principal) : [];
}

function pageOf(items: readonly JsonObject[], last: InboxPosition | undefined): InboxPage {
  return { items, nextCursor: last ? encodeInboxCursor(last) : null };
}
