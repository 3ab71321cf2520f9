import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

import {
  type ChildProgram,
  makeTestDirectory,
  placeCluster,
  startProgram,
  waitFor,
} from '#testing';

import { createPool } from '../create-pool.js';
import { isRunning, readPidNamespace } from './process-identity.js';
import { type EmbeddedServer, startEmbeddedServer } from './start-embedded-server.js';

describe('startEmbeddedServer', () => {
  let dataDir: string;
  let messages: string[];
  let removeDirectory: () => Promise<void>;
  let programs: ChildProgram[];
  let server: EmbeddedServer | undefined;

  beforeEach(async () => {
    ({ directory: dataDir, remove: removeDirectory } = await makeTestDirectory());
    messages = [];
    programs = [];
  });

  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await Promise.all(programs.map((program) => program.kill('SIGKILL')));
    await removeDirectory();
  });

  it('preserves data over a stop and a start', async () => {
    await store(await start(), 1);
    await server?.stop();
    expect(await count(await start())).toBe(1);
    expect(messages).toEqual([]);
  });

  it('runs in a separate session, which signals to the group of the parent do not reach', async () => {
    await placeCluster(dataDir);
    const { pid } = await start();
    if (process.platform !== 'linux') return;
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    const [, , group, session] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    expect([group, session]).toEqual([`${pid}`, `${pid}`]);
  });

  it('restarts with all acknowledged data when it is killed during a transaction', async () => {
    const { connectionString, pid } = await start();
    const pool = createPool({ connectionString, applicationName: 'spec' });
    await store({ connectionString }, 20);
    const open = await pool.connect();
    await open.query('begin');
    await open.query('insert into facts default values');
    const ended = connectionEnd(open);
    process.kill(pid, 'SIGKILL');
    await ended;
    await expect(open.query('commit')).rejects.toThrow();
    open.release(true);
    expect(await countOnceBack(connectionString)).toBe(20);
    expect(server?.pid).not.toBe(pid);
    expect(messages.join()).toMatch(/ended by itself.*runs again/);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('recovers when one of its sessions is killed', async () => {
    await placeCluster(dataDir);
    const { connectionString, pid } = await start();
    await store({ connectionString }, 20);
    const pool = createPool({ connectionString, applicationName: 'spec' });
    const [victim, witness] = await Promise.all([pool.connect(), pool.connect()]);
    await witness.query('begin');
    const { rows } = await victim.query('select pg_backend_pid() as pid');
    const ended = [victim, witness].map(connectionEnd);
    process.kill(rows[0].pid, 'SIGKILL');
    await Promise.all(ended);
    await expect(witness.query('commit')).rejects.toThrow();
    for (const client of [victim, witness]) client.release(true);
    expect(await countOnceBack(connectionString)).toBe(20);
    expect(server?.pid).toBe(pid);
    await pool.end();
  });

  it.each(['process', 'group'] as const)(
    'shuts down cleanly after its parent %s was killed, and starts again with every row',
    async (whom) => {
      await placeCluster(dataDir);
      const parent = run('hold-server', dataDir);
      const first = await parent.next('connectionString');
      await store({ connectionString: String(first.connectionString) }, 20);
      await parent.kill('SIGKILL', whom);
      await waitFor('a database server that ends', () => isRunning(Number(first.pid)), {
        until: (runs) => !runs,
      });
      expect(await count(await start())).toBe(20);
      expect(messages).toEqual([]);
      const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
      expect(log).toContain('database system is shut down');
      expect(log).not.toContain('not properly shut down');
    },
  );

  it('is stopped and restarted if it still runs after its parent was killed', async () => {
    await placeCluster(dataDir);
    const parent = run('hold-server', dataDir);
    const first = await parent.next('connectionString');
    await store({ connectionString: String(first.connectionString) }, 20);
    process.kill(Number(first.pid), 'SIGSTOP');
    try {
      await parent.kill('SIGKILL');
      const starting = start();
      await waitFor('a start that has found it', () => messages.join(), {
        until: (text) => text.includes('a killed Throughline left running'),
      });
      process.kill(Number(first.pid), 'SIGCONT');
      expect(await count(await starting)).toBe(20);
      expect(await isRunning(Number(first.pid))).toBe(false);
    } finally {
      if (await isRunning(Number(first.pid))) process.kill(Number(first.pid), 'SIGCONT');
    }
  });

  it('starts after parent and server were killed', async () => {
    await placeCluster(dataDir);
    const parent = run('hold-server', dataDir);
    const first = await parent.next('connectionString');
    await store({ connectionString: String(first.connectionString) }, 20);
    process.kill(Number(first.pid), 'SIGKILL');
    await parent.kill('SIGKILL');
    expect(await count(await start())).toBe(20);
  });

  it('lets exactly one of four concurrent starts succeed, and the others fail with one sentence', async () => {
    for (let index = 0; index < 4; index++) run('hold-server', dataDir);
    const answers = await Promise.all(
      programs.map((program) => Promise.any([program.next('pid'), program.next('code')])),
    );
    const losers = answers.filter(({ code }) => code !== undefined);
    expect(losers.map(({ code }) => code)).toEqual(Array(3).fill('data-directory-in-use'));
    expect(losers.map(({ message }) => message)).toEqual(
      Array(3).fill(
        expect.stringMatching(
          /^The data directory \S+ is in use by another Throughline \(process \d+\): stop that one, or set THROUGHLINE_DATA_DIR to another directory\.$/,
        ),
      ),
    );
    const codes = await Promise.all(
      programs.map(async (program, index) => {
        if (answers[index]?.code === undefined) program.send('stop');
        return program.exitCode;
      }),
    );
    expect(codes.sort()).toEqual([0, 1, 1, 1]);
  });

  it('starts although another process has the process id of a dead one', async () => {
    await placeCluster(dataDir);
    await start();
    await server?.stop();
    const stranger = run('migrate', 'postgresql://127.0.0.1:1/none');
    await stranger.next('waiting');
    const lines = [stranger.pid, join(dataDir, 'postgres'), 0, 5432, '', '127.0.0.1', '', 'ready'];
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), lines.join('\n'));
    const namespace = await readPidNamespace();
    const lock = { token: 'dead', pid: stranger.pid, started: 'earlier', namespace };
    await writeFile(join(dataDir, 'throughline.lock'), JSON.stringify(lock));
    expect(await count(await start())).toBe(0);
    expect(await isRunning(stranger.pid)).toBe(true);
  });

  it('gives up a server that ends repeatedly, and reports one sentence', async () => {
    await placeCluster(dataDir);
    const { onExit } = await start();
    const reason = new Promise<Error>((resolve) => onExit(resolve));
    await rm(join(dataDir, 'postgres', 'global', 'pg_control'));
    if (server) process.kill(server.pid, 'SIGKILL');
    const { message } = await reason;
    expect(message).toMatch(/^The embedded PostgreSQL in .* did not start: .*pg_control/);
  });

  it('rejects a cluster of another major version', async () => {
    await placeCluster(dataDir);
    await start();
    await server?.stop();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(
      expect.objectContaining({
        code: 'data-directory-version',
        message: expect.stringMatching(/was made by PostgreSQL 17 and this one is \d+: /),
      }),
    );
  });

  it('rejects a data directory that is a file', async () => {
    await writeFile(join(dataDir, 'file'), '');
    await expect(
      startEmbeddedServer({ dataDir: join(dataDir, 'file'), log: silent }),
    ).rejects.toThrow(expect.objectContaining({ code: 'data-directory-access' }));
  });

  async function start(): Promise<EmbeddedServer> {
    const log = {
      info: (text: string) => messages.push(text),
      warn: (text: string) => messages.push(text),
    };
    server = await startEmbeddedServer({ dataDir, log });
    return server;
  }

  function run(name: string, ...args: string[]): ChildProgram {
    const program = startProgram(name, ...args);
    programs.push(program);
    return program;
  }
});

/** Resolves when the server or the network has ended the connection. */
function connectionEnd(client: pg.PoolClient): Promise<void> {
  return new Promise((resolve) => client.once('end', resolve));
}

const silent = { info: () => {}, warn: () => {} };

type Connectable = { readonly connectionString: string };

/** Inserts rows with one acknowledged commit each. */
async function store({ connectionString }: Connectable, rows: number): Promise<void> {
  await query(connectionString, 'create table if not exists facts (id serial)');
  for (let row = 0; row < rows; row++)
    await query(connectionString, 'insert into facts default values');
}

async function count({ connectionString }: Connectable): Promise<number> {
  await query(connectionString, 'create table if not exists facts (id serial)');
  const { rows } = await query(connectionString, 'select count(*)::int as count from facts');
  return rows[0]?.count;
}

async function query(connectionString: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

/** Retries while the database refuses connections during recovery. */
async function countOnceBack(connectionString: string): Promise<unknown> {
  return waitFor(
    'a database that answers again',
    () => count({ connectionString }).catch((error: unknown) => error),
    { until: (counted) => typeof counted === 'number' },
  );
}
