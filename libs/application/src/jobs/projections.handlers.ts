import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { listProjections } from '#read-models';

import { requireRoot } from '../access/authorize.js';
import { DATABASE, EVENT_STORE } from '../tokens.js';
import { ListProjectionsQuery } from './jobs.messages.js';

@QueryHandler(ListProjectionsQuery)
export class ListProjectionsHandler implements IQueryHandler<ListProjectionsQuery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  async execute({ principal }: ListProjectionsQuery) {
    requireRoot(principal);
    return { items: await listProjections({ db: this.db, store: this.store }) };
  }
}
