import { Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';

import { type Principal } from '../access/principal.js';

export type InboxPage = Readonly<{ items: readonly JsonObject[]; nextCursor: string | null }>;

/** What waits for an agent over contexts; for people also what waits for any of them. */
export class ListInboxQuery extends Query<
  Readonly<{ page: InboxPage; /** Events behind the log. */ lag: number | null }>
> {
  constructor(
    readonly request: Readonly<{
      principal: Principal;
      agentId: string;
      cursor?: string | undefined;
      limit: number;
    }>,
  ) {
    super();
  }
}
