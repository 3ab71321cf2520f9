import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { findProjectionOrigin } from '#read-models';
import { contextStream } from '#shared-context';

import { type Logger } from './logger.js';
import { EventStoreStartError } from './open-event-store.js';

const contextsLookedAt = 20;

type Site = Readonly<{ db: Kysely<Database>; store: EventStore; log: Logger }>;

/**
 * Refuses to begin an empty log in a database that has rows of another one: contexts would be found and could not be
 * written to; and one that ends before what the rows hold, for it was moved away, or the last of it did not come.
 * Where the log has all of that, its streams were moved here, and a rebuild is all that is missing.
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
  await refuseWhereBehind(db, store);
  log.warn(
    { follow: origin.storeIdentity },
    'the read models follow another event store: where its streams were moved here, rebuild them',
  );
}

async function hasContexts(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select from throughline.contexts limit 1`.execute(db);
  return rows.length > 0;
}

/** By the contexts that were changed last, as far as the rows know: whoever went on elsewhere, went on with some of these. */
async function refuseWhereBehind(db: Kysely<Database>, store: EventStore): Promise<void> {
  const { rows } = await sql<{ workspace: string; contextId: string; version: number }>`
    select workspace, context_id as "contextId", version from throughline.contexts
    order by modified_at desc limit ${contextsLookedAt}`.execute(db);
  for (const { version, ...id } of rows) {
    const newest = { direction: 'backwards', limit: 1 } as const;
    const [last] = await store.readStream(contextStream(id), newest);
    if ((last?.version ?? 0) < version)
      throw new EventStoreStartError(
        `EVENTSTORE_URL: context ${id.workspace}/${id.contextId} is known at version ${version}, and the event store it names (without it, the one in the database) ends at ${last?.version ?? 0}: its streams were moved elsewhere, name that store; or the last of them have not come yet, run throughline store copy again.`,
      );
  }
}
