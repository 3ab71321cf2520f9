import { Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';
import { type ContextDifference } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../reading/context.queries.js';

type OfContext = Readonly<{
  principal: Principal;
  contextId: string;
  signal?: AbortSignal | undefined;
}>;

/** What became of a context between two positions, each a version or an RFC 3339 time; `to` left out is now. */
export class CompareContextQuery extends Query<
  Readonly<{ contextId: string; from: number; to: number; difference: ContextDifference }>
> {
  constructor(readonly request: OfContext & Readonly<{ from: string; to?: string | undefined }>) {
    super();
  }
}

/**
 * What somebody who has last read at `since` has to know: the difference to now, and what happened, a page at a time.
 * Pages behind the first are of the same range and have no difference.
 */
export class ListChangesQuery extends Query<
  Readonly<{
    contextId: string;
    from: number;
    to: number;
    difference: ContextDifference | null;
    page: Page<JsonObject>;
  }>
> {
  constructor(readonly request: OfContext & PageRequest & Readonly<{ since: string }>) {
    super();
  }
}
