import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type Gate } from '#context-views';

import { reachesById } from '../access/authorize.js';
import { LongPolls } from '../long-polls/long-polls.js';
import { showEvent } from '../writing/event-view.js';
import { ListEventsQuery } from './context.queries.js';
import { decodeVersion, encodeCursor } from './cursor.js';
import { readEventsPage } from './events-page.js';
import { type ReachableSnapshot, ReachableContext, readable, seenOf } from './reachable-context.js';

const headAlone = { keys: [], bodies: false };

type Request = ListEventsQuery['request'];

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
    const until = Date.now() + seconds * 1000;
    const scan = this.#scan(request, until);
    return this.polls.poll(
      { principal, seconds, signal },
      {
        name: `events ${shared.name} ${JSON.stringify([after, cursor, limit, types])}`,
        of: { workspace: principal.workspace, contextId },
        awaited: { types: types ?? 'any', after: cursor === undefined ? after : undefined },
        read: () => scan(() => shared.read(headAlone)),
        isThere: ({ page }) => page.items.length > 0,
      },
      {
        own: () => this.#scan(request, until)(() => this.contexts.read(request, headAlone)),
        mayShare: reachesById(principal, contextId),
        // A look that ends early has the deadline of another request.
        isOwn: ({ page }) => page.items.length > 0 || page.nextCursor === null,
      },
    );
  }

  /** Looks for a page from where the look before ended, and goes on behind what holds nothing of it, until the time is over. */
  #scan(request: Request, until: number) {
    let start = request.cursor === undefined ? request.after : decodeVersion(request.cursor);
    return async (read: () => Promise<ReachableSnapshot>) => {
      for (let after = start; ;) {
        const { found, next, settled } = await this.#find(await read(), request, after);
        // Others that share this look ask for the same events again.
        if (found.page.items.length === 0) start = Math.max(start, settled);
        if (found.page.items.length > 0 || next === undefined || Date.now() >= until) return found;
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
    const page = { items: events.map((event) => showEvent(event, gate)), nextCursor };
    const settled = isSettled(gate) ? (next ?? head.version) : 0;
    return { found: { ...seenOf(snapshot), page }, next, settled };
  }
}

/** Whether what is seen of an event never depends on what happens behind it. */
function isSettled(gate: Gate | undefined): boolean {
  return !gate || !(gate.asksForFailures || gate.liveDecisionsOnly);
}
