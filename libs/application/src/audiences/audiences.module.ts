import { Module, type Provider } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { ContextReader } from '#read-models';
import { GatedReader } from '#visibility';

import { DATABASE, EVENT_STORE } from '../tokens.js';
import { Audiences } from './audiences.js';
import { FindPolicyHandler, SetPolicyHandler } from './policies.handlers.js';
import { PolicyStore } from './policy-store.js';

const gatedReader: Provider = {
  provide: GatedReader,
  useFactory: (reader: ContextReader, store: EventStore, db: Kysely<Database>) =>
    new GatedReader(reader, store, db),
  inject: [ContextReader, EVENT_STORE, DATABASE],
};

@Module({
  providers: [gatedReader, PolicyStore, Audiences, FindPolicyHandler, SetPolicyHandler],
  exports: [Audiences, GatedReader, PolicyStore],
})
export class AudiencesModule {}
