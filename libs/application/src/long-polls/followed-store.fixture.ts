import { createDatabase, createPool } from '#database';
import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader } from '#read-models';
import {
  HistoryWriter,
  type TestDatabase,
  type TestServer,
  listenToStatements,
  openTestDatabase,
  openTestServer,
} from '#testing';
import { FilteredReader } from '#visibility';

import { PolicyStore } from '../audiences/policy-store.js';
import { KeyStore } from '../authentication/key-store.js';
import { ContextChanges } from './context-changes.js';

/** A store for tests that append and follow. Reads have their own connections, so that tests can count their statements. */
export class FollowedStore {
  readonly history: HistoryWriter;
  readonly #closing: (() => Promise<unknown>)[] = [];

  private constructor(
    private readonly server: TestServer,
    readonly database: TestDatabase,
    private readonly store: PostgresEventStore,
  ) {
    this.history = new HistoryWriter(store);
  }

  static async open(): Promise<FollowedStore> {
    const server = await openTestServer();
    const database = await openTestDatabase(server);
    return new FollowedStore(server, database, new PostgresEventStore({ pool: database.pool }));
  }

  /** Opens the readers of one process; {@link FollowedStore.closeReads} closes them. */
  openReads() {
    const { connectionString } = this.database;
    const pool = createPool({ connectionString, applicationName: 'reads' });
    const statements = listenToStatements(pool);
    const db = createDatabase(pool);
    const store = new PostgresEventStore({ pool });
    this.#closing.push(
      () => store.close(),
      () => db.destroy(),
    );
    const reader = new ContextReader(db, store);
    return {
      statements,
      db,
      store,
      reader,
      filteredReader: new FilteredReader(reader, store, db),
      keys: new KeyStore(db),
      policies: new PolicyStore(db),
      changes: new ContextChanges(this.store),
    };
  }

  async closeReads(): Promise<void> {
    for (const close of this.#closing.splice(0)) await close();
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.database.close();
    await this.server.close();
  }
}
