import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type DecodedEvent, decodeEvent } from '#read-models';

import { showEvent } from '../writing/event-view.js';
import { ListEventsQuery } from './context.queries.js';
import { decodeVersion, encodeCursor } from './cursor.js';
import { withinBytes } from './page-bytes.js';
import { ReachableContext } from './reachable-context.js';

@QueryHandler(ListEventsQuery)
export class ListEventsHandler implements IQueryHandler<ListEventsQuery> {
  constructor(private readonly contexts: ReachableContext) {}

  async execute({ request }: ListEventsQuery) {
    const { head } = await this.contexts.read(request, { keys: [], bodies: false });
    const after = request.cursor === undefined ? request.after : decodeVersion(request.cursor);
    const found = await this.#find({ ...request, after, until: head.version });
    const page = found.slice(
      0,
      withinBytes(found.slice(0, request.limit), ({ bytes }) => bytes),
    );
    const last = page.at(-1);
    const nextCursor =
      found.length > page.length && last ? encodeCursor([String(last.version)]) : null;
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
  }: Range): Promise<DecodedEvent[]> {
    const id = { workspace: principal.workspace, contextId };
    const found: DecodedEvent[] = [];
    const first = Math.min(limit + 1, 32);
    for await (const stored of this.contexts.reader.storedTail(id, { after, first })) {
      if (stored.version > until) break;
      if (!types || types.includes(stored.type)) found.push(decodeEvent(stored));
      if (found.length > limit || withinBytes(found, ({ bytes }) => bytes) < found.length) break;
    }
    return found;
  }
}

type Range = ListEventsQuery['request'] & Readonly<{ until: number }>;
