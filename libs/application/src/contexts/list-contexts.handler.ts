import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';
import { type ContextListPosition } from '#read-models';

import { seesEverything } from '../access/reach.js';
import { Audiences } from '../audiences/audiences.js';
import { InvalidInputError } from '../errors.js';
import { decodeCursor, encodeCursor } from '../paging/cursor.js';
import { parseRfc3339 } from '../rfc3339.js';
import { PROJECTION_LAG, type ProjectionLag } from '../tokens.js';
import { ContextFinder } from './context-finder.js';
import { ContextOverview } from './context-overview.js';
import { ListContextsQuery } from './context.queries.js';
import { searchOf } from './context-search.js';
import { evenlyTimed } from './even-timing.js';

@QueryHandler(ListContextsQuery)
export class ListContextsHandler implements IQueryHandler<ListContextsQuery> {
  constructor(
    @Inject(PROJECTION_LAG) private readonly lag: ProjectionLag,
    private readonly audiences: Audiences,
    private readonly finder: ContextFinder,
    private readonly overview: ContextOverview,
  ) {}

  /** A search for a reader who does not see everything examines hidden texts, and its duration may reveal them. */
  execute({ request }: ListContextsQuery) {
    const examinesHidden = searchOf(request) !== undefined && !seesEverything(request.principal);
    const find = () => this.#find(request);
    return examinesHidden ? evenlyTimed(find) : find();
  }

  async #find(request: ListContextsQuery['request']) {
    const { principal, cursor, limit, updatedSince, status, workflow, parent, agent } = request;
    const { workspace, contexts, workflows } = principal;
    const { attention: reasons } = request;
    if (!seesEverything(principal))
      refuseRevealingFilters({ agent, updatedSince, attention: reasons });
    const access = await this.audiences.open(principal);
    const search = searchOf(request);
    const criteria = {
      workspace,
      // An undefined audience sees no context.
      contexts: 'refusal' in access ? [] : contexts,
      workflows,
      status,
      workflow,
      parent,
      agent,
      updatedSince: instant(updatedSince),
    };
    const lag = await this.#lagOf(workspace, search !== undefined);
    const page = { after: positionOf(cursor), limit };
    const { found, next } = await this.finder.find(
      { criteria, search, reasons, page },
      'filter' in access ? access.filter : undefined,
    );
    const nextCursor = next ? encodeCursor([next.createdAt, next.contextId]) : null;
    const rows = await this.overview.render(
      principal,
      found.map(({ head }) => head),
    );
    const items = rows.map((row, nth) => withAttention(row, found[nth]?.attention));
    return { page: { items, nextCursor }, lag: lag ?? null };
  }

  /** The search rows are behind the listed rows, and these are behind the log. */
  async #lagOf(workspace: string, searches: boolean): Promise<number | undefined> {
    const lag = await this.lag();
    if (!searches || lag === undefined) return lag;
    return lag + (await this.finder.lag(workspace));
  }
}

function withAttention(row: JsonObject, attention: readonly string[] | undefined): JsonObject {
  return attention === undefined ? row : { ...row, attention };
}

/** Filters by author, time or attention are only for readers who see everything: they would reveal hidden events to others. */
function refuseRevealingFilters(filters: Readonly<Record<string, unknown>>): void {
  const revealing = Object.entries(filters).filter(([, value]) => value !== undefined);
  if (revealing.length > 0)
    throw new InvalidInputError(
      revealing.map(([name]) => ({
        pointer: `/${name}`,
        detail: 'requires a key that may read for the audience "all"',
      })),
    );
}

function positionOf(cursor: string | undefined): ContextListPosition | undefined {
  if (cursor === undefined) return undefined;
  const [createdAt = '', contextId = ''] = decodeCursor(cursor, 2);
  return { createdAt, contextId };
}

function instant(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = parseRfc3339(text);
  if (time === undefined)
    throw new InvalidInputError([
      {
        pointer: '/updatedSince',
        detail: 'must be an RFC 3339 time with offset, such as 2026-01-25T10:00:00Z',
      },
    ]);
  return time;
}
