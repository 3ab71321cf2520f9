import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { request } from 'undici';

import { placeCluster, sized } from '#testing';

import {
  type ServerProcess,
  startServerProcess,
  stopServerProcesses,
  throughline,
} from './server-process.js';

const key = 'root-key-of-these-tests';
/** The heap of each command, in megabytes: 1.5 times what it needs. The processed data do not fit into the rest. */
const heapMb = 64;
const bytesPerHeapMb = sized(400_000, 1_200_000);
const smallHeap = { NODE_OPTIONS: `--max-old-space-size=${heapMb}` };

describe('moving contexts at the command line', () => {
  let directory: string;
  let [source, target]: (ServerProcess & { env: Record<string, string> })[] = [];

  const start = async (name: string, more: Record<string, string> = {}) => {
    const configuration = {
      THROUGHLINE_DATA_DIR: join(directory, name),
      THROUGHLINE_ADMIN_KEY: key,
    };
    // No test here reads rows; projecting them would take a fifth of the time of the suite.
    const unprojected = { PROJECTOR: 'external' };
    await placeCluster(configuration.THROUGHLINE_DATA_DIR);
    const server = await startServerProcess({ ...configuration, ...unprojected, ...more });
    return {
      ...server,
      env: { ...configuration, THROUGHLINE_KEY: key, THROUGHLINE_URL: server.address },
    };
  };
  const post = async (path: string, body: object) => {
    const answer = await request(`${source?.address}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.statusCode).toBeLessThan(300);
    await answer.body.dump();
  };
  const documentAt = async (server: typeof source, contextId: string) => {
    const answer = await request(`${server?.address}/v1/contexts/${contextId}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.statusCode).toBe(200);
    return answer.body.text();
  };
  const runOn = (server: typeof source, ...args: string[]) => throughline(args, server?.env ?? {});

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'throughline-moving-'));
    await chmod(directory, 0o755);
    source = await start('here');
    for (const contextId of ['a', 'b']) {
      await post('contexts', { contextId });
      for (const stepId of ['plan', 'build'])
        await post(`contexts/${contextId}/step-outputs`, { stepId, output: { odd: '\u2028 é😀' } });
    }
    await post('contexts/a/forks', { atVersion: 2, contextId: '0-fork' });
    const [, publicKey = ''] =
      /"key":"([^"]+)"/.exec((await runOn(source, 'export', 'a')).out) ?? [];
    target = await start('there', { THROUGHLINE_TRUSTED_EXPORT_KEYS: publicKey });
  }, 120_000);
  afterAll(async () => {
    await stopServerProcesses();
    await rm(directory, { recursive: true, force: true });
  });

  it('verifies one context, all contexts in reach of the key, and the whole database', async () => {
    const single = await runOn(source, 'verify', 'a');
    expect(single).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^a: 3 events, valid, last hash [0-9a-f]{64}$/),
    });
    const everything = await runOn(source, 'verify', '--all');
    expect(everything).toMatchObject({
      code: 0,
      out: expect.stringContaining('7 events of 3 contexts verified'),
    });
    const database = await runOn(source, 'verify', '--database', '--json');
    expect(JSON.parse(database.out)).toEqual({
      streams: 3,
      events: 7,
      broken: 0,
      findings: [],
      missingPosition: null,
    });
    expect(await runOn(source, 'verify')).toMatchObject({ code: 2 });
  });

  it('moves all contexts to another server unchanged, and none of them twice', async () => {
    const file = join(directory, 'all.jsonl');
    const exported = await runOn(source, 'export', '--all', '--out', file);
    expect(exported).toMatchObject({
      code: 0,
      err: expect.stringContaining('7 events of 3 contexts'),
    });
    expect(await runOn(target, 'import', file)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^imported 7 events of 3 contexts, 0 were already stored/),
    });
    expect(await runOn(target, 'import', file, '--json')).toMatchObject({
      out: JSON.stringify({ contexts: 3, imported: 0, skipped: 7, unsigned: 0 }),
    });
    for (const contextId of ['a', 'b', '0-fork'])
      expect(await documentAt(target, contextId)).toBe(await documentAt(source, contextId));
    const again = join(directory, 'again.jsonl');
    await runOn(target, 'export', '--all', '--out', again);
    // Each server signs with its own key.
    const eventsOf = async (path: string) =>
      (await readFile(path, 'utf8')).split('\n').filter((line) => !line.includes('"signature"'));
    expect(await eventsOf(again)).toEqual(await eventsOf(file));
    expect(await runOn(source, 'export', '--all', '--out', file)).toMatchObject({ code: 2 });
  });

  it('imports events with an untrusted signature as events of the key, and reports that', async () => {
    const file = join(directory, 'foreign.jsonl');
    await post('contexts', { contextId: 'own' });
    const { out } = await runOn(source, 'export', 'own');
    await writeFile(
      file,
      out.replace(/(?<="key":")./, (first) => (first === '_' ? '-' : '_')),
    );
    const imported = await runOn(target, 'import', file);
    expect(imported).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 context not signed by this server or by a trusted one'),
    });
    expect(
      JSON.parse((await runOn(target, 'context', 'events', 'own', '--json')).out),
    ).toMatchObject({
      items: [{ principal: 'admin', origin: { agentId: 'admin' } }],
    });
  });

  it('refuses a truncated or changed file before it sends anything', async () => {
    const file = join(directory, 'damaged.jsonl');
    const { out } = await runOn(source, 'export', 'b');
    for (const damaged of [out.slice(0, -20), out.replace('build', 'built'), '']) {
      await writeFile(file, damaged);
      const refused = await runOn(target, 'import', file, '--as', 'damaged');
      expect(refused).toMatchObject({
        code: 2,
        err: expect.stringContaining('nothing was imported'),
      });
    }
    expect(await runOn(target, 'context', 'show', 'damaged')).toMatchObject({ code: 4 });
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
    expect(await runOn(source, 'verify', 'b')).toMatchObject({
      code: 1,
      out: 'b: broken at version 2: wrong-hash (1 events before it are valid)',
    });
    expect(await runOn(source, 'verify', '--all')).toMatchObject({ code: 1 });
    expect(await runOn(source, 'verify', '--database')).toMatchObject({
      code: 1,
      out: expect.stringContaining('context-default:b: broken at version 2: wrong-hash'),
    });
    const file = join(directory, 'broken.jsonl');
    expect(await runOn(source, 'export', 'b', '--out', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('version 2 of "b" is broken (wrong-hash)'),
    });
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('takes no more memory for more events', async () => {
    await post('contexts', { contextId: 'large' });
    const size = 900_000;
    const count = Math.ceil((heapMb * bytesPerHeapMb) / size);
    for (let n = 0; n < count; n++)
      await post('contexts/large/step-outputs', { stepId: `s-${n}`, output: 'x'.repeat(size) });
    const events = count + 1;
    const file = join(directory, 'large.jsonl');
    const small = { ...source?.env, ...smallHeap };
    const exported = await throughline(['export', 'large', '--out', file], small);
    expect(exported).toMatchObject({ code: 0, err: expect.stringContaining(`${events} events`) });
    const imported = await throughline(['import', file], { ...target?.env, ...smallHeap });
    expect(imported).toMatchObject({
      code: 0,
      out: expect.stringContaining(`imported ${events} events`),
    });
    const verified = await throughline(['verify', '--database'], { ...target?.env, ...smallHeap });
    expect(verified).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${events + 8} events of 5 streams`),
    });
  }, 180_000);
});
