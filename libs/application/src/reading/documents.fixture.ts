import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { ContextReader } from '#read-models';
import { FilteredReader } from '#visibility';

import { AgentRegistry } from '../agents/agent-registry.js';
import { AgentStore } from '../agents/agent-store.js';
import { Audiences } from '../audiences/audiences.js';
import { PolicyStore } from '../audiences/policy-store.js';
import { ContextHierarchy } from '../families/context-hierarchy.js';
import { defaultSettings } from '../settings/settings.messages.js';
import { SettingsStore } from '../settings/settings-store.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { ActivityReader } from './activity-reader.js';
import { Documents } from './documents.js';
import { AuthorizedContextReader } from './authorized-context-reader.js';

/** Readers of documents with the built-in policies and settings, for tests. */
export function testDocuments({
  db,
  store,
}: Readonly<{ db: Kysely<Database>; store: EventStore }>) {
  const reader = new ContextReader(db, store);
  const filteredReader = new FilteredReader(reader, store, db);
  const contexts = new AuthorizedContextReader(
    reader,
    filteredReader,
    new Audiences(new PolicyStore(db)),
  );
  const documents = new Documents(
    contexts,
    new AgentRegistry(new AgentStore(db)),
    new SettingsStore(db, defaultSettings),
    new ActivityReader(filteredReader, db),
    new TransformationStore(db),
  );
  return { reader, contexts, documents, families: new ContextHierarchy(db, contexts) };
}
