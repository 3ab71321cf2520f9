import { type EventStore } from '#event-sourcing';
import { KurrentEventStore } from '#event-store-kurrentdb';
import { PostgresEventStore } from '#event-store-postgres';
import { type TestDatabase, type TestKurrentDb, openStandIn, openTestKurrentDb } from '#testing';

import { sized } from './size.js';

/** Where the streams of a run are; everything else is in PostgreSQL. `cluster`: three nodes that fail on purpose. */
export type StreamsKind = 'postgres' | 'kurrentdb' | 'cluster';

/** The smoke size of a scenario on another store, as a part of that on PostgreSQL. */
const partElsewhere = 0.3;

/** What scenarios run on that ask the stores nothing of their own: all kinds at full size, and with `npm run test:stores`. */
export const kindsAtFullSize: readonly StreamsKind[] =
  process.env['THROUGHLINE_RELIABILITY_STORES'] === 'kurrentdb'
    ? ['kurrentdb']
    : sized<StreamsKind[]>(['postgres'], ['postgres', 'kurrentdb']);

export function sizedOn(kind: StreamsKind, smoke: number, full: number): number {
  return sized(kind === 'postgres' ? smoke : Math.round(smoke * partElsewhere), full);
}

export type Streams = Readonly<{
  store: EventStore;
  /** Tells servers and projectors where the streams are. */
  env: Readonly<Record<string, string>>;
  /** Where they are in KurrentDB, or what stands in for it. */
  kurrentdb: TestKurrentDb | undefined;
  close: () => Promise<void>;
}>;

export async function openStreams(kind: StreamsKind, database: TestDatabase): Promise<Streams> {
  if (kind === 'postgres') return openInPostgres(database);
  return inKurrentDb(
    kind === 'cluster' ? await openStandIn({ nodes: 3 }) : await openTestKurrentDb(),
  );
}

function openInPostgres({ pool }: TestDatabase): Streams {
  const store = new PostgresEventStore({ pool });
  return { store, env: {}, kurrentdb: undefined, close: () => store.close() };
}

function inKurrentDb(kurrentdb: TestKurrentDb): Streams {
  const { connectionString } = kurrentdb;
  const namespace = kurrentdb.namespace();
  const store = new KurrentEventStore({ connectionString, namespace });
  return {
    store,
    kurrentdb,
    env: { EVENTSTORE_URL: connectionString, EVENTSTORE_NAMESPACE: namespace },
    close: async () => {
      await store.close();
      await kurrentdb.close();
    },
  };
}
