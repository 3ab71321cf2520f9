import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { reachesById } from '../access/reach.js';
import { LongPolls } from '../long-polls/long-polls.js';
import { decodeVersion } from '../paging/cursor.js';
import { ListedEvents } from '../reading/listed-events.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { ListEventsQuery } from './context.queries.js';

const headOnly = { keys: [], bodies: false };

type Request = ListEventsQuery['request'];

@QueryHandler(ListEventsQuery)
export class ListEventsHandler implements IQueryHandler<ListEventsQuery> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly polls: LongPolls,
  ) {}

  async execute({ request }: ListEventsQuery) {
    const { principal, contextId, asOf, waitSeconds = 0, signal } = request;
    const { after, cursor, limit, types } = request;
    const seconds = asOf === undefined ? waitSeconds : 0;
    const shared = this.contexts.shared(request);
    const until = performance.now() + seconds * 1000;
    const events = this.#listed(request);
    const { version, tag, page } = await this.polls.poll(
      { principal, seconds, signal },
      {
        name: `events ${shared.name} ${JSON.stringify([after, cursor, limit, types])}`,
        of: { workspace: principal.workspace, contextId },
        awaited: { types: types ?? 'any', after: cursor === undefined ? after : undefined },
        read: (goOn) => events.scan(() => shared.read(headOnly), goOn),
        hasAnswer: (found) => found.page.items.length > 0,
      },
      {
        own: () =>
          this.#listed(request).scan(
            () => this.contexts.read(request, headOnly),
            () => performance.now() < until,
          ),
        mayShare: reachesById(principal, contextId),
        // A shared read examines one range of events. If it finds none and there are more, the request continues with
        // its own read.
        isOwn: (found) => found.page.items.length > 0 || found.next === undefined,
      },
    );
    return { version, tag, page };
  }

  #listed({ cursor, after, limit, types }: Request): ListedEvents {
    const first = cursor === undefined ? after : decodeVersion(cursor);
    return new ListedEvents(this.contexts.filteredReader, { after: first, limit, types });
  }
}
