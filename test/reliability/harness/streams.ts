import { type EventStore } from '#event-sourcing';
import { KurrentEventStore } from '#event-store-kurrentdb';
import { PostgresEventStore } from '#event-store-postgres';
import { type TestDatabase, type TestKurrentDb, openStandIn, openTestKurrentDb } from '#testing';

import { sized } from './size.js';

/**
 * The store of the streams of a run; all other data is in PostgreSQL. `cluster` means three nodes that fail on purpose.
 */
export type StreamsKind = 'postgres' | 'kurrentdb' | 'cluster';

/** The smoke size of a scenario on another store, as a share of that on PostgreSQL. */
const shareOfSmokeSize = 0.3;

/** The kinds for scenarios that do not depend on the store: all at full size and with `npm run test:stores`. */
export const kindsAtFullSize: readonly StreamsKind[] =
  process.env['THROUGHLINE_RELIABILITY_STORES'] === 'kurrentdb'
    ? ['kurrentdb']
    : sized<StreamsKind[]>(['postgres'], ['postgres', 'kurrentdb']);

export function sizedOn(kind: StreamsKind, smoke: number, full: number): number {
  return sized(kind === 'postgres' ? smoke : Math.round(smoke * shareOfSmokeSize), full);
}

export type Streams = Readonly<{
  store: EventStore;
  /** Configures servers and projectors for these streams. */
  env: Readonly<Record<string, string>>;
  /** The address in KurrentDB or its stand-in. */
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
