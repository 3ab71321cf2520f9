import { join } from 'node:path';

import { type EventStore } from '#event-sourcing';
import { KurrentEventStore } from '#event-store-kurrentdb';
import { PostgresEventStore } from '#event-store-postgres';
import { type Config, ConfigError, createLogger, loadConfig } from '#platform';
import {
  type TestDatabase,
  type TestDirectory,
  type TestKurrentDb,
  type TestServer,
  HistoryWriter,
  did,
  makeTestDirectory,
  openTestDatabase,
  openTestKurrentDb,
  openTestServer,
  readLog,
  waitFor,
} from '#testing';

import { backupConfigured, restoreConfigured } from './backup-configured.js';
import { readBackup } from './read-backup.js';

const output = (n: number) =>
  did('StepOutputAdded', { stepId: `s-${n}`, output: { n, odd: '\0\ud800é😀' } });

describe('a backup of streams in KurrentDB', () => {
  let server: TestServer;
  let kurrent: TestKurrentDb;
  let source: TestDatabase;
  let target: TestDatabase;
  let config: Config;
  let store: KurrentEventStore;
  let restored: PostgresEventStore;
  let history: HistoryWriter;
  let directory: TestDirectory;
  let file: string;
  let warnings: string[];

  beforeAll(async () => {
    [server, kurrent] = await Promise.all([openTestServer(), openTestKurrentDb()]);
  });
  afterAll(async () => {
    await kurrent.close();
    await server.close();
  });

  beforeEach(async () => {
    [source, target] = [await openTestDatabase(server), await openTestDatabase(server)];
    config = loadConfig({
      DATABASE_URL: source.connectionString,
      EVENTSTORE_URL: kurrent.connectionString,
      EVENTSTORE_NAMESPACE: kurrent.namespace(),
    });
    const { eventStoreNamespace: namespace } = config;
    store = new KurrentEventStore({ connectionString: kurrent.connectionString, namespace });
    restored = new PostgresEventStore({ pool: target.pool });
    history = new HistoryWriter(store);
    for (const contextId of ['a', 'b'])
      await history.append(contextId, did('ContextCreated', {}), output(1), output(2));
    await history.append('a', output(3));
    await source.pool.query(
      `insert into throughline.server_secrets (name, value) values ('s', '\\xdeadbeef')`,
    );
    directory = await makeTestDirectory();
    file = join(directory.directory, 'test.backup');
    warnings = [];
  });
  afterEach(async () => {
    await Promise.all([store.close(), restored.close()]);
    await Promise.all([source.close(), target.close(), directory.remove()]);
  });

  const log = () => {
    const quiet = createLogger({ logLevel: 'silent' });
    return Object.assign(quiet, { warn: (message: string) => warnings.push(message) });
  };
  const writeBackupFile = () => backupConfigured(config, log(), file);
  const restore = () =>
    restoreConfigured(loadConfig({ DATABASE_URL: target.connectionString }), log(), file);
  const logOf = async (from: EventStore) => {
    const events = await readLog(from, 'start');
    return events.map(({ position: _, ...event }) => event);
  };

  it('restores the same log into PostgreSQL, byte for byte and in order, and appends continue', async () => {
    const { tables } = await writeBackupFile();
    expect(tables).toMatchObject({ events: 7, streams: 2, server_secrets: 1 });
    expect(await restore()).toMatchObject({ events: 7, streams: 2 });
    expect(await logOf(restored)).toEqual(await logOf(store));
    expect(await restored.head()).toBe('7');
    const next = await store.readStream('context-default:b', { limit: 1 });
    await restored.append('context-default:c', next, 'no-stream');
    expect(await restored.readStream('context-default:b', { limit: 9 })).toHaveLength(3);
    expect(warnings).toEqual([]);
  });

  it('has a different identity, so that its positions cannot be confused with those of another log', async () => {
    await writeBackupFile();
    await restore();
    const identities = [store, restored, new PostgresEventStore({ pool: source.pool })].map(
      (each) => each.identity(),
    );
    expect(new Set(await Promise.all(identities)).size).toBe(3);
    for await (const part of readBackup(file))
      if (part.kind === 'header') expect(part.header.storeIdentity).toBe(await store.identity());
  });

  it('contains everything acknowledged before it, and only complete appends', async () => {
    let stop = false;
    let acknowledged = 0;
    const writers = ['w-1', 'w-2'].map(async (contextId) => {
      const mine = new HistoryWriter(store);
      await mine.append(contextId, did('ContextCreated', {}), output(0));
      while (!stop) {
        await mine.append(contextId, output(1), output(2));
        acknowledged += 2;
      }
    });
    const before = await waitFor('40 acknowledged events', () => acknowledged, {
      until: (count) => count >= 40,
    });
    const { tables } = await writeBackupFile().finally(() => (stop = true));
    await Promise.all(writers);
    const { events } = await restore();
    expect(events).toBe(tables['events']);
    expect(events).toBeGreaterThanOrEqual(before + 7);
    expect((events - 7) % 2).toBe(0);
  });

  it('warns that it does not contain streams that are still in the database', async () => {
    const old = new PostgresEventStore({ pool: source.pool });
    await new HistoryWriter(old).append('old', did('ContextCreated', {}));
    await old.close();
    expect((await writeBackupFile()).tables).toMatchObject({ events: 7 });
    expect(warnings).toEqual([expect.stringContaining('contains streams too')]);
  });

  it('is not restored if the configuration names KurrentDB', async () => {
    await writeBackupFile();
    const refusal = restoreConfigured(
      { ...config, databaseUrl: target.connectionString },
      log(),
      file,
    );
    await expect(refusal).rejects.toThrow(ConfigError);
    await expect(refusal).rejects.toThrow(/^EVENTSTORE_URL: .*store copy --from postgres/);
    expect(await restored.head()).toBe('start');
  });
});
