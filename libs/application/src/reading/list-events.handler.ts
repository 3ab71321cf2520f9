import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { showEvent } from '../writing/event-view.js';
import { ListEventsQuery } from './context.queries.js';
import { decodeVersion, encodeCursor } from './cursor.js';
import { readEventsPage } from './events-page.js';
import { ReachableContext } from './reachable-context.js';

@QueryHandler(ListEventsQuery)
export class ListEventsHandler implements IQueryHandler<ListEventsQuery> {
  constructor(private readonly contexts: ReachableContext) {}

  async execute({ request }: ListEventsQuery) {
    const { head } = await this.contexts.read(request, { keys: [], bodies: false });
    const after = request.cursor === undefined ? request.after : decodeVersion(request.cursor);
    const range = { ...request, after, until: head.version };
    const { events, next } = await readEventsPage(this.contexts.reader, head, range);
    const nextCursor = next === undefined ? null : encodeCursor([String(next)]);
    return { version: head.version, page: { items: events.map(showEvent), nextCursor } };
  }
}
