import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { findProjectionOrigin } from '#read-models';
import { contextStream } from '#shared-context';

import { type Logger } from './logger.js';
import { EventStoreStartError } from './open-event-store.js';

const checkedContexts = 20;

type LogCheckInput = Readonly<{ db: Kysely<Database>; store: EventStore; log: Logger }>;

/**
 * Refuses an empty log if the database has rows of another log, because its contexts would be listed but could not be written. Refuses
 * a log that ends before the rows, because its streams were moved elsewhere or their copy is incomplete. If the log contains everything
 * that the rows contain, its streams were moved here, and only a rebuild is needed.
 * Throws {@link EventStoreStartError}.
 */
export async function checkLog({ db, store, log }: LogCheckInput): Promise<void> {
  const origin = await findProjectionOrigin(db);
  if (!origin || origin.storeIdentity === (await store.identity()) || !(await hasContexts(db)))
    return;
  if ((await store.head()) === 'start')
    throw new EventStoreStartError(
      'EVENTSTORE_URL: the configured event store (without the variable, the one in the database) has no events, but the database has contexts of another event store: configure that store, move its streams here first (throughline store copy), or start with an empty database.',
    );
  await requireLogNotBehind(db, store);
  log.warn(
    { follow: origin.storeIdentity },
    'the read models follow another event store: if its streams were moved here, rebuild the read models',
  );
}

async function hasContexts(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select from throughline.contexts limit 1`.execute(db);
  return rows.length > 0;
}

/** Checks only the most recently changed contexts: writes to another store probably concerned some of them. */
async function requireLogNotBehind(db: Kysely<Database>, store: EventStore): Promise<void> {
  const { rows } = await sql<{ workspace: string; contextId: string; version: number }>`
    select workspace, context_id as "contextId", version from throughline.contexts
    order by modified_at desc limit ${checkedContexts}`.execute(db);
  for (const { version, ...id } of rows) {
    const newest = { direction: 'backwards', limit: 1 } as const;
    const [last] = await store.readStream(contextStream(id), newest);
    if ((last?.version ?? 0) < version)
      throw new EventStoreStartError(
        `EVENTSTORE_URL: context ${id.workspace}/${id.contextId} has rows of version ${version}, but in the configured event store (without the variable, the one in the database) it ends at version ${last?.version ?? 0}: if the streams were moved to another store, configure that store; if the copy is incomplete, run throughline store copy again.`,
      );
  }
}
