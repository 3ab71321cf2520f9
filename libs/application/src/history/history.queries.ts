import { Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';
import { type ContextDifference } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';

type OfContext = Readonly<{
  principal: Principal;
  contextId: string;
  audience?: string | undefined;
  signal?: AbortSignal | undefined;
}>;

/** `staleTruncated`: more work has gone stale than a page names. */
export type PageDifference = ContextDifference & Readonly<{ staleTruncated?: true }>;

/**
 * What became of a context between two positions, each a version or an RFC 3339 time; `to` left out is now. A page names
 * what at most `limit` events of the range have left as it is at its end; pages behind the first are of the same range.
 */
export class CompareContextQuery extends Query<
  Readonly<{
    contextId: string;
    from: number;
    to: number;
    tag: string | null;
    difference: PageDifference;
    nextCursor: string | null;
  }>
> {
  constructor(
    readonly request: OfContext & PageRequest & Readonly<{ from: string; to?: string | undefined }>,
  ) {
    super();
  }
}

/**
 * What somebody who has last read at `since` has to know: what happened, a page at a time, and what these events have made
 * of the context until now. Pages behind the first are of the same range.
 */
export class ListChangesQuery extends Query<
  Readonly<{
    contextId: string;
    from: number;
    to: number;
    tag: string | null;
    difference: PageDifference;
    page: Page<JsonObject>;
  }>
> {
  constructor(readonly request: OfContext & PageRequest & Readonly<{ since: string }>) {
    super();
  }
}

/** How an event of a trace is related to the one asked about; causation counts before correlation. */
export type TraceRelation = 'self' | 'ancestor' | 'descendant' | 'correlated';

/** What an event was caused by and what it caused, and all of its correlation, in the order it was recorded. */
export class TraceEventQuery extends Query<
  Readonly<{ nodes: readonly JsonObject[]; truncated: boolean; lag: number | null }>
> {
  constructor(
    readonly request: Readonly<{
      principal: Principal;
      eventId: string;
      signal?: AbortSignal | undefined;
    }>,
  ) {
    super();
  }
}

/**
 * Events of the workspace in the order of the log behind `after`: a position, `start`, or `head` for what is yet to
 * come. `nextCursor` is always there; a page may be empty and yet have moved on.
 */
export class ReadFeedQuery extends Query<
  Readonly<{ items: readonly JsonObject[]; nextCursor: string }>
> {
  constructor(
    readonly request: Readonly<{
      principal: Principal;
      after: string;
      limit: number;
      waitSeconds?: number | undefined;
      signal?: AbortSignal | undefined;
    }>,
  ) {
    super();
  }
}
