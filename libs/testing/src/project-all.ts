import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { Projector } from '#read-models';

import { waitForProjector } from './wait-for-projector.js';

/** Runs the projection to the end of the log, as a server next to the test would. */
export async function projectAll(db: Kysely<Database>, store: EventStore): Promise<void> {
  const projector = new Projector(db, store);
  projector.start();
  await waitForProjector(projector);
  await projector.stop();
}
