import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type Gate } from '#context-views';

import { showEvent } from '../writing/event-view.js';
import { ContextChanges } from './context-changes.js';
import { ListEventsQuery } from './context.queries.js';
import { decodeVersion, encodeCursor } from './cursor.js';
import { readEventsPage } from './events-page.js';
import { longPoll } from './long-poll.js';
import { ReachableContext, readable, seenOf } from './reachable-context.js';

type Request = ListEventsQuery['request'];

@QueryHandler(ListEventsQuery)
export class ListEventsHandler implements IQueryHandler<ListEventsQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly changes: ContextChanges,
  ) {}

  execute({ request }: ListEventsQuery) {
    const { principal, contextId, asOf, waitSeconds = 0, signal } = request;
    const id = { workspace: principal.workspace, contextId };
    const seconds = asOf === undefined ? waitSeconds : 0;
    const until = Date.now() + seconds * 1000;
    const watch = () => this.changes.watch(id);
    let start = request.cursor === undefined ? request.after : decodeVersion(request.cursor);
    return longPoll(
      { changes: this.changes, watch, seconds, signal },
      async () => {
        for (let after = start; ;) {
          const { found, next, settled } = await this.#find(request, after);
          start = Math.max(start, settled);
          if (found.page.items.length > 0 || next === undefined || Date.now() >= until)
            return found;
          after = next;
        }
      },
      ({ page }) => page.items.length > 0,
    );
  }

  /** `settled`: nothing up to this version will be found later that was not found now. */
  async #find(request: Request, after: number) {
    const { limit, types, signal } = request;
    const snapshot = await this.contexts.read(request, { keys: [], bodies: false });
    const { head, gate } = snapshot;
    const range = { after, until: head.version, limit, types: types && new Set(types) };
    const { events, next } = await readable(() =>
      readEventsPage(this.contexts.gated, { id: head, gate }, range, signal && { signal }),
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
