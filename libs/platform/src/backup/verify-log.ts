import { createHash } from 'node:crypto';

import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type ChainEnd, type EventStore, checkChain } from '#event-sourcing';
import { contextOfStream } from '#read-models';

/** The hash chain of a stream does not hold what it held when it was written. */
export class BrokenChainError extends Error {
  override readonly name = 'BrokenChainError';
}

const page = 1_000;
const portion = 200;

/** Checks the hash chain of every stream; how many streams and events there are. Throws {@link BrokenChainError}. */
export async function verifyLog(
  db: Kysely<Database>,
  store: EventStore,
): Promise<{ streams: number; events: number }> {
  let [streams, events, last] = [0, 0, 0];
  for (;;) {
    const { rows } = await sql<{ stream_id: string; stream: string }>`
      select stream_id, stream from throughline.streams where stream_id > ${last}
      order by stream_id limit ${page}`.execute(db);
    for (const { stream } of rows) events += await verifyStream(store, stream);
    streams += rows.length;
    last = Number(rows.at(-1)?.stream_id);
    if (rows.length < page) return { streams, events };
  }
}

async function verifyStream(store: EventStore, stream: string): Promise<number> {
  const id = contextOfStream(stream);
  let end: ChainEnd = { version: 0, hash: null };
  for (;;) {
    const events = await store.readStream(stream, { from: end.version + 1, limit: portion });
    if (!id) return events.length;
    const owner = { workspace: id.workspace, context: id.contextId };
    const checked = checkChain(events, end, owner, sha256);
    if (checked.broken)
      throw new BrokenChainError(
        `${stream} is broken at version ${checked.broken.version}: ${checked.broken.reason}`,
      );
    end = checked.end;
    if (events.length < portion) return end.version;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
