import { Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';
import { type ContextDifference } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';

type ContextRequest = Readonly<{
  principal: Principal;
  contextId: string;
  audience?: string | undefined;
  signal?: AbortSignal | undefined;
}>;

/** `staleTruncated`: more work became stale than a page lists. */
export type PageDifference = ContextDifference & Readonly<{ staleTruncated?: true }>;

/**
 * Compares a context at two positions, each a version or an RFC 3339 time; `to` defaults to now. A page has the final
 * changes by at most `limit` events of the range; all pages have the range of the first one.
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
    readonly request: ContextRequest &
      PageRequest &
      Readonly<{ from: string; to?: string | undefined }>,
  ) {
    super();
  }
}

/**
 * The changes for a reader who last read at `since`: the events, a page at a time, and the resulting difference up to
 * now. All pages have the range of the first one.
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
  constructor(readonly request: ContextRequest & PageRequest & Readonly<{ since: string }>) {
    super();
  }
}

/** The relation of an event in a trace to the requested event; causation takes precedence over correlation. */
export type TraceRelation = 'self' | 'ancestor' | 'descendant' | 'correlated';

/** The causes and effects of an event and all events of its correlation, in the order of recording. */
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
 * Events of the workspace in the order of the log after `after`: a position, `start`, or `head` for future events.
 * There is always a `nextCursor`; a page may be empty although its cursor has advanced.
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
