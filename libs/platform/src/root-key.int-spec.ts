import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hashSecret } from '#application';
import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';

import { type Config, loadConfig } from './config.js';
import { openRootKey, replaceRootKey, rootKeyFile } from './root-key.js';

describe('the root key', () => {
  let server: TestServer;
  let database: TestDatabase;
  let directory: string;
  let config: Config;

  beforeAll(async () => {
    server = await openTestServer();
  });

  beforeEach(async () => {
    database = await openTestDatabase(server);
    directory = await mkdtemp(join(tmpdir(), 'throughline-root-key-'));
    config = loadConfig({ THROUGHLINE_DATA_DIR: directory });
  });

  afterEach(async () => {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });

  afterAll(() => server.close());

  it('is created and returned once, and stored in a file that only its owner may read', async () => {
    const first = await openRootKey(database.db, config);
    expect(first.created).toMatch(/^tl_/);
    expect((await readFile(rootKeyFile(config), 'utf8')).trim()).toBe(first.created);
    expect((await stat(rootKeyFile(config))).mode & 0o777).toBe(0o600);
    const second = await openRootKey(database.db, config);
    expect(second.created).toBeUndefined();
    await expect(second.hash()).resolves.toBe(hashSecret(first.created ?? ''));
  });

  it('is the same for two servers that start on one database at the same time', async () => {
    const other = loadConfig({ THROUGHLINE_DATA_DIR: join(directory, 'other') });
    const keys = await Promise.all([config, other].map((each) => openRootKey(database.db, each)));
    const [created] = keys.flatMap((key) => key.created ?? []);
    expect(keys.filter((key) => key.created)).toHaveLength(1);
    const files = [config, other].map(rootKeyFile).filter((file) => existsSync(file));
    expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toEqual([
      `${created}\n`,
    ]);
  });

  it('is replaced if it was lost, and the old key stops working', async () => {
    const { created = '', hash } = await openRootKey(database.db, config);
    await rm(rootKeyFile(config));
    const secret = await replaceRootKey(database.db, config);
    expect(secret).not.toBe(created);
    await expect(hash()).resolves.toBe(hashSecret(secret));
  });

  it('is not replaced if its file cannot be read', async () => {
    await expect(
      openRootKey(database.db, { ...config, dataDir: join(directory, 'root-key') }),
    ).resolves.toBeDefined();
    const blocked = { ...config, dataDir: join(directory, 'root-key', 'root-key') };
    const fresh = await openTestDatabase(server);
    try {
      await expect(openRootKey(fresh.db, blocked)).rejects.toMatchObject({ code: 'ENOTDIR' });
    } finally {
      await fresh.close();
    }
  });
});
