import { type Kysely } from 'kysely';

import { type Database } from '#database';

import { type ChainVerdict, type StreamChain, ChainWalk } from './chain-walk.js';
import { findMissingPosition, readLogRows } from './log-rows.js';

export type DatabaseVerdict = ChainVerdict &
  Readonly<{
    /** The first position of the log without an event; always null for stores whose positions have gaps. */
    missingPosition: string | null;
  }>;

/** Checks every row of the log in one pass with bounded memory; changes nothing. */
export async function verifyDatabase(db: Kysely<Database>): Promise<DatabaseVerdict> {
  const walk = new ChainWalk();
  let current: Readonly<{ id: string; chain: StreamChain }> | undefined;
  for await (const rows of readLogRows(db))
    for (const { stream_id: id, stream, event_id: eventId, ...event } of rows) {
      if (current?.id !== id) current = { id, chain: walk.begin(stream, id) };
      current.chain.take({ eventId, ...event });
    }
  return { ...walk.verdict(), missingPosition: await findMissingPosition(db) };
}
