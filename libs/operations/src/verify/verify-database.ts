import { type Kysely } from 'kysely';

import { type Database } from '#database';

import { type ChainVerdict, type StreamChain, ChainWalk } from './chain-walk.js';
import { findMissingPosition, readLogRows } from './log-rows.js';

export type DatabaseVerdict = ChainVerdict &
  Readonly<{
    /** The first position of the log that no event has; null also where positions are not dense. */
    missingPosition: string | null;
  }>;

/** Walks every row of the log once, whatever its size; changes nothing. */
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
