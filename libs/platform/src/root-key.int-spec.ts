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

  it('is made and told once, and kept where only its owner reads', async () => {
    const first = await openRootKey(database.db, config);
    expect(first.created).toMatch(/^tl_/);
    expect((await readFile(rootKeyFile(config), 'utf8')).trim()).toBe(first.created);
    expect((await stat(rootKeyFile(config))).mode & 0o777).toBe(0o600);
    const second = await openRootKey(database.db, config);
    expect(second.created).toBeUndefined();
    await expect(second.hash()).resolves.toBe(hashSecret(first.created ?? ''));
  });

  it('is one for a database, whichever of two servers starts first', async () => {
    const other = loadConfig({ THROUGHLINE_DATA_DIR: join(directory, 'other') });
    const keys = await Promise.all([config, other].map((each) => openRootKey(database.db, each)));
    const [made] = keys.flatMap(({ created }) => created ?? []);
    expect(keys.filter(({ created }) => created)).toHaveLength(1);
    const files = [config, other].map(rootKeyFile).filter((file) => existsSync(file));
    expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toEqual([`${made}\n`]);
  });

  it('is replaced where it was lost, and the old one is worth nothing from then on', async () => {
    const { created = '', hash } = await openRootKey(database.db, config);
    await rm(rootKeyFile(config));
    const secret = await replaceRootKey(database.db, config);
    expect(secret).not.toBe(created);
    await expect(hash()).resolves.toBe(hashSecret(secret));
  });

  it('is never made anew over a file that cannot be read', async () => {
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
