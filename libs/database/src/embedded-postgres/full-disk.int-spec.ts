import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { makeTestDirectory, placeCluster, waitFor } from '#testing';

import { createPool } from '../create-pool.js';
import { startEmbeddedServer } from './start-embedded-server.js';

const run = promisify(execFile);
const megabyte = 1024 * 1024;
const silent = { info: () => {}, warn: () => {} };

const refusal = await whyNoMount();
const itWithSmallDisk = refusal === undefined ? it : it.skip;

describe(`on a full disk${refusal === undefined ? '' : ` (not tried here: ${refusal})`}`, () => {
  let disk: string;
  let leave: () => Promise<void>;

  beforeEach(async () => {
    const { directory, remove } = await makeTestDirectory();
    disk = join(directory, 'disk');
    await mkdir(disk);
    leave = remove;
  });

  afterEach(async () => {
    await run('umount', ['-l', disk]).catch(() => {});
    await leave();
  });

  itWithSmallDisk(
    'a first start fails with one sentence, and succeeds after space was freed',
    async () => {
      await mount(disk, 20);
      const dataDir = join(disk, 'data');
      await expect(startEmbeddedServer({ dataDir, log: silent })).rejects.toThrow(
        expect.objectContaining({
          code: 'storage-full',
          message: `The disk that holds ${dataDir} is full: make room and start again, nothing stored is lost.`,
        }),
      );
      expect(await readdir(dataDir)).not.toContain('throughline.lock');
      await run('mount', ['-o', 'remount,size=300M', disk]);
      const server = await startEmbeddedServer({ dataDir, log: silent });
      await server.stop();
    },
  );

  itWithSmallDisk('a later start fails in the same way', async () => {
    await mount(disk, 300);
    const dataDir = join(disk, 'data');
    await placeCluster(dataDir);
    await (await startEmbeddedServer({ dataDir, log: silent })).stop();
    await fill(disk);
    await expect(startEmbeddedServer({ dataDir, log: silent })).rejects.toThrow(
      expect.objectContaining({ code: 'storage-full' }),
    );
    await rm(join(disk, 'filler'));
    await (await startEmbeddedServer({ dataDir, log: silent })).stop();
  });

  itWithSmallDisk(
    'acknowledged writes are preserved, and writing continues after space was freed',
    async () => {
      await mount(disk, 200);
      const dataDir = join(disk, 'data');
      await placeCluster(dataDir);
      const server = await startEmbeddedServer({ dataDir, log: silent });
      const { connectionString } = server;
      const pool = createPool({
        connectionString,
        applicationName: 'full',
        connectTimeoutMs: 10_000,
      });
      await pool.query('create table facts (id int primary key, payload bytea)');
      await fill(disk, 4);

      const insert = (id: number) =>
        pool.query(
          `insert into facts select $1, string_agg(sha512(g::text::bytea), '') from generate_series(1, 2000) g`,
          [id],
        );
      let acknowledged = 0;
      const full = await (async () => {
        for (;;) {
          await insert(acknowledged + 1);
          acknowledged += 1;
        }
      })().catch((error: unknown) => error);
      expect(full).toBeInstanceOf(Error);

      await rm(join(disk, 'filler'));
      await waitFor(
        'a write that succeeds when there is room',
        () =>
          insert(1_000_000).then(
            () => 'stored',
            (error: unknown) => error,
          ),
        { until: (outcome) => outcome === 'stored' },
      );
      const { rows } = await pool.query('select count(*)::int as n from facts where id < 1000000');
      expect(rows[0].n).toBeGreaterThanOrEqual(acknowledged);
      expect(acknowledged).toBeGreaterThan(0);
      await pool.end();
      await server.stop();
    },
  );
});

async function whyNoMount(): Promise<string | undefined> {
  const { directory, remove } = await makeTestDirectory();
  try {
    await mount(directory, 1);
    await run('umount', [directory]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.trim().replaceAll('\n', ' ') : String(error);
  } finally {
    await remove();
  }
}

async function mount(directory: string, megabytes: number): Promise<void> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}M,mode=711`, 'tmpfs', directory]);
}

/** Fills the disk except for `leftMegabytes`. */
async function fill(disk: string, leftMegabytes = 0): Promise<void> {
  const { stdout } = await run('df', ['--output=avail', '-k', disk]);
  const kilobytes = Number(stdout.trim().split('\n').at(-1)) - leftMegabytes * 1024;
  for (let size = kilobytes * 1024; size > 0; size -= megabyte)
    await writeFile(join(disk, 'filler'), Buffer.alloc(Math.min(size, megabyte)), { flag: 'a' });
}
