import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { request } from 'undici';

import { placeCluster } from '#testing';

import { startServerProcess, stopServerProcesses, throughline } from './server-process.js';

const key = 'root-key-of-these-tests';

describe('throughline audit', () => {
  let directory: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'throughline-audit-'));
    await chmod(directory, 0o755);
    env = { THROUGHLINE_DATA_DIR: join(directory, 'data'), THROUGHLINE_ADMIN_KEY: key };
    await placeCluster(join(directory, 'data'));
  });

  afterAll(async () => {
    await stopServerProcesses();
    await rm(directory, { recursive: true, force: true });
  });

  it('checks the store while its server runs, and after it has stopped', async () => {
    const server = await startServerProcess(env);
    const response = await request(`${server.address}/v1/contexts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"contextId":"audited"}',
    });
    expect(response.statusCode).toBe(201);
    await response.body.dump();
    const running = await throughline(['audit'], env);
    expect(running).toMatchObject({ code: 0, err: '' });
    expect(running.out).toMatch(/^I9 +held +1 +0 +all hash chains are valid$/m);
    await server.stop();

    const stopped = await throughline(['audit', '--json'], env);
    expect(stopped).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(stopped.out)).toMatchObject({ streams: 1, events: 1 });
  });

  it('fails with the invariant that a recorded history violates', async () => {
    const file = join(directory, 'history.jsonl');
    const lines = [
      { kind: 'run', history: 1, scenario: 'by hand', seed: 1 },
      {
        kind: 'append',
        client: 'c',
        stream: 'context-default:audited',
        inv: 1,
        ret: 2,
        count: 1,
        outcome: 'ok',
        version: 2,
        eventIds: ['lost'],
      },
      { kind: 'end', at: 3, figures: {} },
    ];
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const found = await throughline(['audit', file], env);
    expect(found).toMatchObject({ code: 1, err: 'throughline: violated: I1, I4' });
    expect(found.out).toMatch(/I1 is violated, first by context-default:audited: event lost/);
  });

  it('refuses a file that is not a history, with the line number', async () => {
    const file = join(directory, 'other.jsonl');
    await writeFile(file, '{"kind":"run"}');
    const { code, err } = await throughline(['audit', file], env);
    expect(code).toBe(2);
    expect(err).toMatch(/other\.jsonl: line 1: /);
  });
});
