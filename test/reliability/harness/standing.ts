import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type EventStore, type Position, type StoredEvent } from '#event-sourcing';
import { listDeadLetters, sharedContextProjection } from '#read-models';

import { streamOf } from './context-client.js';
import { type SetAside } from './set-aside.js';

type Stores = Readonly<{ db: Kysely<Database>; store: EventStore }>;

const pageSize = 1_000;
/** Enough to identify a problem; scenarios at full size have thousands. */
const maxContexts = 20;

/** The contexts that the read models have in quarantine now. */
export async function findSetAside(db: Kysely<Database>): Promise<SetAside[]> {
  const letters = await listDeadLetters(db, { projection: sharedContextProjection, limit: 100 });
  return letters.map(({ contextId, version, error }) => ({
    contextId,
    version,
    error,
    by: 'a dead letter',
  }));
}

/** The progress of the rows and the end of the log, for the analysis of events that were skipped. */
export async function describeProgress({ db, store }: Stores): Promise<string> {
  const partitions = await sql<Partition>`
    select partition, events, position, owner from throughline.projection_partitions
    where projection = ${sharedContextProjection} order by partition`.execute(db);
  const heads = await sql<Head>`select context_id, version from throughline.contexts`.execute(db);
  const rows = new Map(heads.rows.map((head) => [streamOf(head.context_id), head.version]));
  const behind = [...(await lastOfStreams(store))].filter(
    ([stream, { version }]) => version !== rows.get(stream),
  );
  return [
    `the log ends at ${await store.head()}`,
    ...partitions.rows.map(
      ({ partition, events, position, owner }) =>
        `partition ${partition} of ${owner ?? 'nobody'}: ${events} events, up to ${position ?? 'start'}`,
    ),
    ...behind
      .slice(0, maxContexts)
      .map(
        ([stream, { version, position }]) =>
          `${stream} ends at version ${version} (${position}), its rows at ${rows.get(stream) ?? 0}`,
      ),
  ].join('\n');
}

type Partition = Readonly<{
  partition: number;
  events: string;
  position: string | null;
  owner: string | null;
}>;
type Head = Readonly<{ context_id: string; version: number }>;

async function lastOfStreams(store: EventStore): Promise<Map<string, StoredEvent>> {
  const last = new Map<string, StoredEvent>();
  for (let after: Position | 'start' | undefined = 'start'; after;) {
    const events: StoredEvent[] = await store.readAll({ after, limit: pageSize });
    for (const event of events) last.set(event.stream, event);
    after = events.at(-1)?.position;
  }
  return last;
}
