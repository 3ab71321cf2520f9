import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { Projector } from '#read-models';

/** Lets the projection reach the end of the log, as a server beside a test would. */
export async function projectAll(db: Kysely<Database>, store: EventStore): Promise<void> {
  const projector = new Projector(db, store);
  projector.start();
  while ((await projector.lag()) !== 0) await new Promise(setImmediate);
  await projector.stop();
}
