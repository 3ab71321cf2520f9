import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { request } from 'undici';

import { placeCluster } from '#testing';

import {
  type ServerProcess,
  startServerProcess,
  stopServerProcesses,
  throughline,
} from './server-process.js';

const key = 'root-key-of-these-tests';
/** The heap of the whole command, in megabytes: half as much again as it needs, and less than what passes through it. */
const heapMb = 64;
const smallHeap = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` };

describe('moving contexts at the command line', () => {
  let directory: string;
  let [here, there]: (ServerProcess & { env: Record<string, string> })[] = [];

  const start = async (name: string, more: Record<string, string> = {}) => {
    const own = { THROUGHLINE_DATA_DIR: join(directory, name), THROUGHLINE_ADMIN_KEY: key };
    // Nothing here reads rows, and making them takes a fifth of the suite's time.
    const unprojected = { PROJECTOR: 'external' };
    await placeCluster(own.THROUGHLINE_DATA_DIR);
    const server = await startServerProcess({ ...own, ...unprojected, ...more });
    return { ...server, env: { ...own, THROUGHLINE_KEY: key, THROUGHLINE_URL: server.address } };
  };
  const post = async (path: string, body: object) => {
    const answer = await request(`${here?.address}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.statusCode).toBeLessThan(300);
    await answer.body.dump();
  };
  const documentAt = async (server: typeof here, contextId: string) => {
    const answer = await request(`${server?.address}/v1/contexts/${contextId}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.statusCode).toBe(200);
    return answer.body.text();
  };
  const at = (server: typeof here, ...args: string[]) => throughline(args, server?.env ?? {});

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'throughline-moving-'));
    await chmod(directory, 0o755);
    here = await start('here');
    for (const contextId of ['a', 'b']) {
      await post('contexts', { contextId });
      for (const stepId of ['plan', 'build'])
        await post(`contexts/${contextId}/step-outputs`, { stepId, output: { odd: '\u2028 é😀' } });
    }
    await post('contexts/a/forks', { atVersion: 2, contextId: '0-fork' });
    const [, publicKey = ''] = /"key":"([^"]+)"/.exec((await at(here, 'export', 'a')).out) ?? [];
    there = await start('there', { THROUGHLINE_TRUSTED_EXPORT_KEYS: publicKey });
  }, 120_000);
  afterAll(async () => {
    await stopServerProcesses();
    await rm(directory, { recursive: true, force: true });
  });

  it('verifies one context, all that the key reaches, and the whole database', async () => {
    const one = await at(here, 'verify', 'a');
    expect(one).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^a: 3 events, valid, last hash [0-9a-f]{64}$/),
    });
    const all = await at(here, 'verify', '--all');
    expect(all).toMatchObject({
      code: 0,
      out: expect.stringContaining('7 events of 3 contexts verified'),
    });
    const database = await at(here, 'verify', '--database', '--json');
    expect(JSON.parse(database.out)).toEqual({
      streams: 3,
      events: 7,
      broken: 0,
      findings: [],
      missingPosition: null,
    });
    expect(await at(here, 'verify')).toMatchObject({ code: 2 });
  });

  it('moves every context to another server as it is, and moves nothing twice', async () => {
    const file = join(directory, 'all.jsonl');
    const exported = await at(here, 'export', '--all', '--out', file);
    expect(exported).toMatchObject({
      code: 0,
      err: expect.stringContaining('7 events of 3 contexts'),
    });
    expect(await at(there, 'import', file)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^imported 7 events of 3 contexts, 0 were already stored/),
    });
    expect(await at(there, 'import', file, '--json')).toMatchObject({
      out: JSON.stringify({ contexts: 3, imported: 0, skipped: 7, unsigned: 0 }),
    });
    for (const contextId of ['a', 'b', '0-fork'])
      expect(await documentAt(there, contextId)).toBe(await documentAt(here, contextId));
    const again = join(directory, 'again.jsonl');
    await at(there, 'export', '--all', '--out', again);
    // Each server signs with a key of its own.
    const eventsOf = async (path: string) =>
      (await readFile(path, 'utf8')).split('\n').filter((line) => !line.includes('"signature"'));
    expect(await eventsOf(again)).toEqual(await eventsOf(file));
    expect(await at(here, 'export', '--all', '--out', file)).toMatchObject({ code: 2 });
  });

  it('imports what a server that is not trusted has signed as events of the key, and says so', async () => {
    const file = join(directory, 'foreign.jsonl');
    await post('contexts', { contextId: 'own' });
    const { out } = await at(here, 'export', 'own');
    await writeFile(
      file,
      out.replace(/(?<="key":")./, (first) => (first === '_' ? '-' : '_')),
    );
    const imported = await at(there, 'import', file);
    expect(imported).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 context not signed by this server or by a trusted one'),
    });
    expect(JSON.parse((await at(there, 'context', 'events', 'own', '--json')).out)).toMatchObject({
      items: [{ principal: 'admin', origin: { agentId: 'admin' } }],
    });
  });

  it('refuses a file that is cut off or changed, before anything is sent', async () => {
    const file = join(directory, 'damaged.jsonl');
    const { out } = await at(here, 'export', 'b');
    for (const damaged of [out.slice(0, -20), out.replace('build', 'built'), '']) {
      await writeFile(file, damaged);
      const refused = await at(there, 'import', file, '--as', 'damaged');
      expect(refused).toMatchObject({
        code: 2,
        err: expect.stringContaining('nothing was imported'),
      });
    }
    expect(await at(there, 'context', 'show', 'damaged')).toMatchObject({ code: 4 });
  });

  it('names the broken event, and exports nothing of a broken context', async () => {
    const { Client } = (await import('pg')).default;
    const { findRunningServer } = await import('#database');
    const connectionString = await findRunningServer(join(directory, 'here'));
    const client = new Client({ connectionString: connectionString ?? '' });
    await client.connect();
    await client.query(`begin; set local session_replication_role = replica;
      update throughline.events set data = replace(data, 'plan', 'plot') where version = 2
      and stream_id = (select stream_id from throughline.streams where stream = 'context-default:b'); commit`);
    await client.end();
    expect(await at(here, 'verify', 'b')).toMatchObject({
      code: 1,
      out: 'b: broken at version 2: wrong-hash (1 events before it are valid)',
    });
    expect(await at(here, 'verify', '--all')).toMatchObject({ code: 1 });
    expect(await at(here, 'verify', '--database')).toMatchObject({
      code: 1,
      out: expect.stringContaining('context-default:b: broken at version 2: wrong-hash'),
    });
    const file = join(directory, 'broken.jsonl');
    expect(await at(here, 'export', 'b', '--out', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('version 2 of "b" is broken there (wrong-hash)'),
    });
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('takes no more memory for more events', async () => {
    await post('contexts', { contextId: 'large' });
    const size = 900_000;
    const count = Math.ceil((heapMb * 1_200_000) / size);
    for (let n = 0; n < count; n++)
      await post('contexts/large/step-outputs', { stepId: `s-${n}`, output: 'x'.repeat(size) });
    const events = count + 1;
    const file = join(directory, 'large.jsonl');
    const small = { ...here?.env, ...smallHeap };
    const exported = await throughline(['export', 'large', '--out', file], small);
    expect(exported).toMatchObject({ code: 0, err: expect.stringContaining(`${events} events`) });
    const imported = await throughline(['import', file], { ...there?.env, ...smallHeap });
    expect(imported).toMatchObject({
      code: 0,
      out: expect.stringContaining(`imported ${events} events`),
    });
    const verified = await throughline(['verify', '--database'], { ...there?.env, ...smallHeap });
    expect(verified).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${events + 8} events of 5 streams`),
    });
  }, 180_000);
});
