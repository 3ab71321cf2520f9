import { type Kysely } from 'kysely';
import type pg from 'pg';

import { type Database } from '#database';
import { PostgresEventStore } from '#event-store-postgres';

import { HistoryWriter } from './history-writer.js';
import {
  type TestDatabase,
  type TestServer,
  openTestDatabase,
  openTestServer,
} from './test-database.js';

/** The resources of the current test. */
export type TestStore = Readonly<{
  db: Kysely<Database>;
  pool: pg.Pool;
  store: PostgresEventStore;
  history: HistoryWriter;
}>;

type OpenStore = Omit<TestStore, 'pool' | 'db'> & { database: TestDatabase };

/**
 * Starts a real server for the `describe` that calls it. Every test has a migrated database with an event store and a
 * writer of histories, all of which are closed after the test. Hooks run in the order of their definition: call an
 * `afterEach` that needs the database before this function.
 */
export function useTestStore(): TestStore {
  let server: TestServer | undefined;
  let opened: OpenStore | undefined;
  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    if (!server) throw new Error('the server did not start');
    const database = await openTestDatabase(server);
    const store = new PostgresEventStore({ pool: database.pool });
    opened = { database, store, history: new HistoryWriter(store) };
  });
  afterEach(async () => {
    await opened?.store.close();
    await opened?.database.close();
  });
  const current = (): OpenStore => {
    if (!opened) throw new Error('only within a test');
    return opened;
  };
  return {
    get db() {
      return current().database.db;
    },
    get pool() {
      return current().database.pool;
    },
    get store() {
      return current().store;
    },
    get history() {
      return current().history;
    },
  };
}
