import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { findProjectionOrigin } from '#read-models';

import { type Logger } from './logger.js';
import { EventStoreStartError } from './open-event-store.js';

type Site = Readonly<{ db: Kysely<Database>; store: EventStore; log: Logger }>;

/**
 * Refuses to begin an empty log in a database that has rows of another one: contexts would be found and could not be
 * written to. Where the log has events, it may have been moved, and a rebuild is all that is missing.
 * Throws {@link EventStoreStartError}.
 */
export async function checkLog({ db, store, log }: Site): Promise<void> {
  const origin = await findProjectionOrigin(db);
  if (!origin || origin.storeIdentity === (await store.identity()) || !(await hasContexts(db)))
    return;
  if ((await store.head()) === 'start')
    throw new EventStoreStartError(
      'EVENTSTORE_URL: the event store it names (without it, the one in the database) holds no events, and the database has contexts of another one: name that one, move its streams here first (throughline store copy), or begin with an empty database.',
    );
  log.warn(
    { follow: origin.storeIdentity },
    'the read models follow another event store: where its streams were moved here, rebuild them',
  );
}

async function hasContexts(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select from throughline.contexts limit 1`.execute(db);
  return rows.length > 0;
}
