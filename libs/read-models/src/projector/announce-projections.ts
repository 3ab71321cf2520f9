import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';

import { makeCheckpoints } from './partition-rows.js';
import { sharedContextProjection, sharedContextVersion } from './shared-context.projection.js';

/** Makes the projections known where no projector has run yet, so that who asks is told that none does. */
export async function announceProjections({
  db,
  store,
}: Readonly<{ db: Kysely<Database>; store: EventStore }>): Promise<void> {
  const identity = await store.identity();
  await makeCheckpoints(db, sharedContextProjection, { version: sharedContextVersion, identity });
}
