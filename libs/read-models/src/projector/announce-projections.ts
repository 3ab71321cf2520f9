import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';

import { makeCheckpoints } from './partition-rows.js';
import { sharedContextProjection, sharedContextVersion } from './shared-context.projection.js';

/**
 * Registers the projections before any projector has run, so that their status can report that no projector is running.
 */
export async function announceProjections({
  db,
  store,
}: Readonly<{ db: Kysely<Database>; store: EventStore }>): Promise<void> {
  const identity = await store.identity();
  await makeCheckpoints(db, sharedContextProjection, { version: sharedContextVersion, identity });
}
