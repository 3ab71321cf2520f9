import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { showEvent } from '../writing/event-view.js';
import { ContextChanges } from './context-changes.js';
import { ListEventsQuery } from './context.queries.js';
import { decodeVersion, encodeCursor } from './cursor.js';
import { readEventsPage } from './events-page.js';
import { longPoll } from './long-poll.js';
import { ReachableContext, readable, seenOf } from './reachable-context.js';

@QueryHandler(ListEventsQuery)
export class ListEventsHandler implements IQueryHandler<ListEventsQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly changes: ContextChanges,
  ) {}

  execute({ request }: ListEventsQuery) {
    const { principal, contextId, asOf, waitSeconds = 0, signal } = request;
    const id = { workspace: principal.workspace, contextId };
    const poll = {
      changes: this.changes,
      watch: () => this.changes.watch(id),
      seconds: asOf === undefined ? waitSeconds : 0,
      signal,
    };
    return longPoll(
      poll,
      () => this.#find(request),
      ({ page }) => page.items.length > 0,
    );
  }

  async #find(request: ListEventsQuery['request']) {
    const snapshot = await this.contexts.read(request, { keys: [], bodies: false });
    const { head, gate } = snapshot;
    const after = request.cursor === undefined ? request.after : decodeVersion(request.cursor);
    const range = { ...request, after, until: head.version };
    const { events, next } = await readable(() =>
      readEventsPage(this.contexts.gated, { id: head, gate }, range),
    );
    const nextCursor = next === undefined ? null : encodeCursor([String(next)]);
    const items = events.map((event) => showEvent(event, gate));
    return { ...seenOf(snapshot), page: { items, nextCursor } };
  }
}
