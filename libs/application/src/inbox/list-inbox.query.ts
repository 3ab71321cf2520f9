import { Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';

import { type Principal } from '../access/principal.js';

export type InboxPage = Readonly<{ items: readonly JsonObject[]; nextCursor: string | null }>;

/** Open work of an agent across contexts; for people, also the work that any person may do. */
export class ListInboxQuery extends Query<
  Readonly<{ page: InboxPage; /** The number of events that the rows lag. */ lag: number | null }>
> {
  constructor(
    readonly request: Readonly<{
      principal: Principal;
      agentId: string;
      /** Restricts the list to this context. */
      contextId?: string | undefined;
      cursor?: string | undefined;
      limit: number;
    }>,
  ) {
    super();
  }
}
