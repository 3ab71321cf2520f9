import { Module, type Provider } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { ContextReader } from '#read-models';
import { FilteredReader } from '#visibility';

import { DATABASE, EVENT_STORE } from '../tokens.js';
import { Audiences } from './audiences.js';
import { FindPolicyHandler, ListPoliciesHandler, SetPolicyHandler } from './policies.handlers.js';
import { PolicyStore } from './policy-store.js';

const filteredReader: Provider = {
  provide: FilteredReader,
  useFactory: (reader: ContextReader, store: EventStore, db: Kysely<Database>) =>
    new FilteredReader(reader, store, db),
  inject: [ContextReader, EVENT_STORE, DATABASE],
};

@Module({
  providers: [
    filteredReader,
    PolicyStore,
    Audiences,
    ListPoliciesHandler,
    FindPolicyHandler,
    SetPolicyHandler,
  ],
  exports: [Audiences, FilteredReader, PolicyStore],
})
export class AudiencesModule {}
