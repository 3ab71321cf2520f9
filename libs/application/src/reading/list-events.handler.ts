import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type Gate } from '#context-views';
import { type JsonObject } from '#event-sourcing';

import { reachesById } from '../access/authorize.js';
import { LongPolls } from '../long-polls/long-polls.js';
import { showEvent } from '../writing/event-view.js';
import { ListEventsQuery, type Page } from './context.queries.js';
import { decodeVersion, encodeCursor } from './cursor.js';
import { readEventsPage } from './events-page.js';
import { type ReachableSnapshot, ReachableContext, readable, seenOf } from './reachable-context.js';

const headAlone = { keys: [], bodies: false };

type Request = ListEventsQuery['request'];

type FoundEvents = ReturnType<typeof seenOf> &
  Readonly<{ page: Page<ReturnType<typeof showEvent>> }>;

@QueryHandler(ListEventsQuery)
export class ListEventsHandler implements IQueryHandler<ListEventsQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly polls: LongPolls,
  ) {}

  execute({ request }: ListEventsQuery) {
    const { principal, contextId, asOf, waitSeconds = 0, signal } = request;
    const { after, cursor, limit, types } = request;
    const seconds = asOf === undefined ? waitSeconds : 0;
    const shared = this.contexts.shared(request);
    const until = performance.now() + seconds * 1000;
    const scan = this.#scan(request);
    return this.polls.poll(
      { principal, seconds, signal },
      {
        name: `events ${shared.name} ${JSON.stringify([after, cursor, limit, types])}`,
        of: { workspace: principal.workspace, contextId },
        awaited: { types: types ?? 'any', after: cursor === undefined ? after : undefined },
        read: (goOn) => scan(() => shared.read(headAlone), goOn),
        isThere: ({ page }) => page.items.length > 0,
      },
      {
        own: () =>
          this.#scan(request)(
            () => this.contexts.read(request, headAlone),
            () => performance.now() < until,
          ),
        mayShare: reachesById(principal, contextId),
        // A shared read examines one range of events. If it found none and there are more, the request reads on by itself.
        isOwn: ({ page }) => page.items.length > 0 || page.nextCursor === null,
      },
    );
  }

  /** Reads a page from the end of the previous read on, and continues past ranges without matching events. */
  #scan(request: Request) {
    const first = request.cursor === undefined ? request.after : decodeVersion(request.cursor);
    let start: Readonly<{ after: number; tag: string | null | undefined }> = {
      after: first,
      tag: undefined,
    };
    return async (
      read: () => Promise<ReachableSnapshot>,
      goOn: (found: FoundEvents) => boolean,
    ) => {
      for (let after: number | undefined; ;) {
        const snapshot = await read();
        const { tag } = snapshot;
        // A changed policy may show events in ranges that were skipped.
        if (start.tag !== tag) [start, after] = [{ after: first, tag }, undefined];
        const { found, next, settled } = await this.#find(snapshot, request, after ?? start.after);
        // After a hit the start stays, because other requests that share this read need the same events.
        const isEmpty = found.page.items.length === 0;
        if (isEmpty) start = { after: Math.max(start.after, settled), tag };
        if (!isEmpty || next === undefined || !goOn(found)) return found;
        after = next;
      }
    };
  }

  /** `settled`: nothing up to this version will be found later that was not found now. */
  async #find(snapshot: ReachableSnapshot, { limit, types }: Request, after: number) {
    const { head, gate } = snapshot;
    const range = { after, until: head.version, limit, types: types && new Set(types) };
    const { events, next } = await readable(() =>
      readEventsPage(this.contexts.gated, { id: head, gate }, range),
    );
    const nextCursor = next === undefined ? null : encodeCursor([String(next)]);
    const page: Page<JsonObject> = {
      items: events.map((event) => showEvent(event, gate)),
      nextCursor,
    };
    const settled = isSettled(gate) ? (next ?? head.version) : 0;
    return { found: { ...seenOf(snapshot), page }, next, settled };
  }
}

/** Whether the visibility of an event never depends on later events. */
function isSettled(gate: Gate | undefined): boolean {
  return !gate || !(gate.asksForFailures || gate.liveDecisionsOnly);
}
