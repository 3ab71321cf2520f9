import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type DecodedEvent, decodeEvent } from '#read-models';

import { showEvent } from '../writing/event-view.js';
import { ListEventsQuery } from './context.queries.js';
import { decodeVersion, encodeCursor } from './cursor.js';
import { ReachableContext } from './reachable-context.js';

@QueryHandler(ListEventsQuery)
export class ListEventsHandler implements IQueryHandler<ListEventsQuery> {
  constructor(private readonly contexts: ReachableContext) {}

  async execute({ request }: ListEventsQuery) {
    const { head } = await this.contexts.read(request, { keys: [], bodies: false });
    const after = request.cursor === undefined ? request.after : decodeVersion(request.cursor);
    const events = await this.#find({ ...request, after, until: head.version });
    const page = events.slice(0, request.limit);
    const last = page.at(-1);
    const nextCursor =
      events.length > request.limit && last ? encodeCursor([String(last.version)]) : null;
    return { version: head.version, page: { items: page.map(showEvent), nextCursor } };
  }

  /** One more than the page holds, to know whether another follows. */
  async #find({
    principal,
    contextId,
    types,
    after,
    until,
    limit,
  }: ListEventsQuery['request'] & Readonly<{ until: number }>): Promise<DecodedEvent[]> {
    const id = { workspace: principal.workspace, contextId };
    const found: DecodedEvent[] = [];
    for await (const stored of this.contexts.reader.storedTail(id, after)) {
      if (stored.version > until || found.length > limit) break;
      if (!types || types.includes(stored.type)) found.push(decodeEvent(stored));
    }
    return found;
  }
}
