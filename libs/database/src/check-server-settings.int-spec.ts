import { rm, writeFile, mkdtemp, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEmptyDatabase, openTestServer, runMaintenance, type TestServer } from '#testing';

import { checkServerSettings } from './check-server-settings.js';
import { createDatabase } from './create-database.js';
import { createPool } from './create-pool.js';
import { launchCluster } from './embedded-postgres/launch-cluster.js';
import { stopPostmaster } from './embedded-postgres/postmaster-signals.js';

describe('checkServerSettings', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  it('accepts the embedded server with its standard settings', async () => {
    await expect(check(await createEmptyDatabase(server))).resolves.toBeUndefined();
  });

  it('rejects synchronous_commit=off that is set for the role in this database only', async () => {
    const database = await createEmptyDatabase(server);
    const name = new URL(database).pathname.slice(1);
    await runMaintenance(
      server,
      `alter role throughline in database ${name} set synchronous_commit = off`,
    );
    await expect(check(database)).rejects.toThrow('synchronous_commit=off');
    await expect(check(await createEmptyDatabase(server))).resolves.toBeUndefined();
  });

  it.each(['fsync', 'full_page_writes', 'synchronous_commit'])(
    'rejects a server with %s=off',
    async (setting) => {
      const unsafe = await openTestServer({ [setting]: 'off' });
      try {
        await expect(check(unsafe.connectionString('postgres'))).rejects.toThrow(`${setting}=off`);
      } finally {
        await unsafe.close();
      }
    },
  );

  it('rejects a replica', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'throughline-replica-'));
    await chmod(directory, 0o711);
    const primary = await launchCluster(directory);
    await stopPostmaster(primary.process.pid);
    await writeFile(join(directory, 'postgres', 'standby.signal'), '');
    const replica = await launchCluster(directory);
    try {
      await expect(check(replica.connectionString('postgres'))).rejects.toThrow('in_recovery=on');
    } finally {
      await stopPostmaster(replica.process.pid);
      await rm(directory, { recursive: true });
    }
  });
});

async function check(connectionString: string): Promise<void> {
  const db = createDatabase(createPool({ connectionString, applicationName: 'check', max: 1 }));
  try {
    await checkServerSettings(db);
  } finally {
    await db.destroy();
  }
}
