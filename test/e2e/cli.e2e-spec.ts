import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { placeCluster } from '#testing';

import {
  type ServerProcess,
  startServerProcess,
  stopServerProcesses,
  throughline,
} from './server-process.js';

describe('the throughline command against a real server', () => {
  let directory: string;
  let env: Record<string, string>;
  let server: ServerProcess;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'throughline-e2e-'));
    // PostgreSQL runs as another user where the tests run as root.
    chmodSync(directory, 0o755);
    env = { THROUGHLINE_DATA_DIR: join(directory, 'data') };
    server = await startServerProcess(env);
    env['THROUGHLINE_URL'] = server.address;
  }, 60_000);

  afterAll(async () => {
    await stopServerProcesses();
    rmSync(directory, { recursive: true, force: true });
  }, 60_000);

  const run = (args: readonly string[], more: Record<string, string> = {}, input?: string) =>
    throughline(args, { ...env, ...more }, input);

  /** The output of a command that must succeed. */
  async function answer(args: readonly string[], more: Record<string, string> = {}) {
    const { code, out, err } = await run([...args, '--json'], more);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    // The result is not parsed with a schema: the tests check the members that they expect.
    return JSON.parse(out) as Record<string, unknown>;
  }

  /** Writes over HTTP if the test is not about the command that writes. */
  async function post(path: string, body: object): Promise<void> {
    const key = readFileSync(join(directory, 'data', 'root-key'), 'utf8').trim();
    const { status } = await fetch(`${server.address}/v1/contexts${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(status).toBe(201);
  }

  /** An environment whose data directory contains a database. Another test covers the first start, which creates it. */
  async function withDatabase(name: string) {
    const environment = { THROUGHLINE_DATA_DIR: join(directory, name) };
    await placeCluster(environment.THROUGHLINE_DATA_DIR);
    return environment;
  }

  it('prints its address, docs page and the path of the root key file at the first start; only the owner may read that file', () => {
    const file = join(directory, 'data', 'root-key');
    const { out, err } = server.output();
    expect(out).toContain(`Documentation: ${server.address}/docs`);
    expect(out).toContain(`The root key is in ${file}`);
    expect(out + err).not.toContain(readFileSync(file, 'utf8').trim());
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('shows the principal of the local root key', async () => {
    expect(await answer(['me'])).toMatchObject({
      principal: 'admin',
      role: 'admin',
      workspace: 'default',
    });
  });

  it('creates, fills and shows a context', async () => {
    expect(await run(['context', 'create', 'talk', '--title', 'Checkout'])).toMatchObject({
      code: 0,
      out: 'created context talk',
    });
    expect(
      await run(['output', 'add', 'talk', 'plan', '-'], {}, '{"files": ["cart.ts"]}'),
    ).toMatchObject({
      out: 'added to step plan, version 2',
    });
    expect(
      await run([
        'decision',
        'add',
        'talk',
        'Use PostgreSQL',
        '--topic',
        'storage',
        '--rationale',
        'One database',
      ]),
    ).toMatchObject({ out: 'recorded decision DEC-001, version 3' });
    const { out } = await run(['context', 'show', 'talk']);
    expect(out).toContain('talk  open  Checkout');
    expect(out).toContain('plan: {"files":["cart.ts"]}');
    expect(out).toMatch(/DEC-001 +live +admin +Use PostgreSQL/);
    expect(await answer(['context', 'show', 'talk', '--as-of', '1'])).toMatchObject({
      _version: 1,
      stepOutputs: {},
    });
  });

  it('lists contexts and events', async () => {
    await post('', { contextId: 'listed' });
    expect((await run(['context', 'list'])).out).toMatch(/^listed +open +1 /m);
    const events = await answer(['context', 'events', 'listed']);
    expect(events['items']).toMatchObject([
      { version: 1, type: 'ContextCreated', principal: 'admin' },
    ]);
    expect((await run(['context', 'events', 'listed', '--after', '1'])).out).toBe('no events');
  });

  it('stores a repeated output once per idempotency key', async () => {
    await post('', { contextId: 'once' });
    const command = ['output', 'add', 'once', 's', '1', '--idempotency-key', 'k'];
    expect(await answer(command)).toEqual(await answer(command));
    expect(await answer(['context', 'show', 'once'])).toMatchObject({ _version: 2 });
  });

  it('exits with 3 after a lost race and shows the missed events', async () => {
    await post('', { contextId: 'race' });
    await post('/race/step-outputs', { stepId: 's', output: 1 });
    const { code, err } = await run(['output', 'add', 'race', 's', '2', '--if-match', '1']);
    expect(code).toBe(3);
    expect(err).toContain('context events <context> --after 1');
  });

  it('exits with 3 for a second live decision on a topic', async () => {
    await post('', { contextId: 'topics' });
    await post('/topics/decisions', { topic: 't', decision: 'a' });
    const { code, err } = await run(['decision', 'add', 'topics', 'b', '--topic', 't']);
    expect(code).toBe(3);
    expect(err).toContain('--supersedes');
    await answer(['decision', 'add', 'topics', 'b', '--topic', 't', '--supersedes', 'DEC-001']);
  });

  it('exits with 4 if the context does not exist, and with 2 if the input is invalid', async () => {
    expect((await run(['context', 'show', 'nowhere'])).code).toBe(4);
    expect((await run(['context', 'create', 'no spaces'])).code).toBe(2);
    expect((await run(['context', 'list', '--limit', 'many'])).code).toBe(2);
  });

  it('accepts a key until it is revoked', async () => {
    const { keyId, secret } = await answer(['key', 'create', '--agent', 'builder']);
    const key = { THROUGHLINE_KEY: String(secret) };
    expect(await answer(['me'], key)).toMatchObject({ principal: 'builder', role: 'agent' });
    expect((await run(['key', 'list'], key)).code).toBe(4);
    expect((await run(['key', 'list'])).out).toContain(String(keyId));
    expect((await run(['key', 'revoke', String(keyId)])).code).toBe(0);
    expect((await run(['me'], key)).code).toBe(4);
  });

  it('refuses a second server on the same data directory with a message of one line', async () => {
    const { code, err, out } = await run(['start', '--port', '0']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^throughline: [^\n]+$/);
  });

  it('refuses to recover a root key while the server runs', async () => {
    const { code, err } = await run(['key', 'recover']);
    expect(code).toBe(1);
    expect(err).toMatch(/^throughline: [^\n]+$/);
    expect((await run(['me'])).code).toBe(0);
  });

  describe('starting and stopping', () => {
    it('refuses a port in use with a message of one line', async () => {
      const blocker = createServer().listen(0, '127.0.0.1');
      await once(blocker, 'listening');
      // The address of a server that listens on TCP has this type.
      const { port } = blocker.address() as AddressInfo;
      const { THROUGHLINE_DATA_DIR: otherDirectory } = await withDatabase('taken');
      const { code, err } = await run([
        'start',
        '--port',
        String(port),
        '--data-dir',
        otherDirectory,
      ]);
      blocker.close();
      expect(code).toBe(1);
      expect(err).toMatch(/^throughline: port \d+ .* in use.*$/);
    }, 60_000);

    it('reports every fault of its environment', async () => {
      const { code, err } = await run(['start', '--port', 'high'], {
        THROUGHLINE_POOL_SIZE: 'few',
      });
      expect(code).toBe(1);
      expect(err).toContain('THROUGHLINE_PORT');
      expect(err).toContain('THROUGHLINE_POOL_SIZE');
    });

    it.each([
      ['Ctrl-C reaches npm, its shell and the server alike', 'SIGINT', 'group'],
      ['npm alone is told to stop', 'SIGTERM', 'npm'],
    ] as const)(
      'stops cleanly when %s',
      async (_, signal, target) => {
        const { THROUGHLINE_DATA_DIR: data } = await withDatabase(`npm-${signal}`);
        const npm = spawn('npm', ['start'], {
          cwd: join(import.meta.dirname, '..', '..'),
          // As a terminal does, starts npm in its own process group.
          detached: true,
          stdio: ['ignore', 'pipe', 'pipe'],
          env: {
            ...process.env,
            THROUGHLINE_DATA_DIR: data,
            THROUGHLINE_PORT: '0',
            THROUGHLINE_LOG_LEVEL: 'warn',
          },
        });
        let out = '';
        let signalSent = false;
        // The loop ends with the last process that has the pipe open, which is the server.
        for await (const chunk of npm.stdout) {
          out += String(chunk);
          if (signalSent || !out.includes('Documentation') || npm.pid === undefined) continue;
          signalSent = process.kill(target === 'group' ? -npm.pid : npm.pid, signal);
        }
        expect(out).toContain('listens on');
        expect(existsSync(join(data, 'root-key'))).toBe(true);
        expect(existsSync(join(data, 'postgres', 'postmaster.pid'))).toBe(false);
      },
      60_000,
    );

    it('stops on SIGTERM and SIGINT with its database, retains data and key, and does not print the key again', async () => {
      const environment = await withDatabase('again');
      const leftover = join(environment.THROUGHLINE_DATA_DIR, 'postgres', 'postmaster.pid');
      const first = await startServerProcess(environment);
      await throughline(['context', 'create', 'kept'], {
        ...environment,
        THROUGHLINE_URL: first.address,
      });
      expect(await first.stop('SIGTERM')).toMatchObject({ code: 0, err: '' });
      expect(existsSync(leftover)).toBe(false);
      const second = await startServerProcess(environment);
      const shown = await throughline(['context', 'show', 'kept'], {
        ...environment,
        THROUGHLINE_URL: second.address,
      });
      expect(await second.stop('SIGINT')).toMatchObject({ code: 0, err: '' });
      expect(existsSync(leftover)).toBe(false);
      expect(shown.code).toBe(0);
      expect(second.output().out).not.toContain('tl_');
    }, 60_000);

    it('recovers a lost root key; the old key no longer works', async () => {
      const environment = await withDatabase('lost');
      const first = await startServerProcess(environment);
      await first.stop();
      const file = join(environment.THROUGHLINE_DATA_DIR, 'root-key');
      const lost = readFileSync(file, 'utf8').trim();
      rmSync(file);
      const recovered = await throughline(['key', 'recover', '--json'], environment);
      expect(recovered).toMatchObject({ code: 0, err: '' });
      const second = await startServerProcess(environment);
      const asked = { ...environment, THROUGHLINE_URL: second.address };
      const withNew = await throughline(['me'], asked);
      const withOld = await throughline(['me'], { ...asked, THROUGHLINE_KEY: lost });
      await second.stop();
      expect([withNew.code, withOld.code]).toEqual([0, 4]);
    }, 60_000);

    it('exits at once on a second signal, and the next start recovers', async () => {
      const environment = await withDatabase('insisted');
      const first = await startServerProcess(environment);
      await throughline(['context', 'create', 'kept'], {
        ...environment,
        THROUGHLINE_URL: first.address,
      });
      // An incomplete request keeps the server draining.
      const { hostname, port } = new URL(first.address);
      const stalled = connect(Number(port), hostname).on('error', () => undefined);
      const secret = readFileSync(join(directory, 'insisted', 'root-key'), 'utf8').trim();
      stalled.write(
        'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n' +
          `POST /v1/contexts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
      );
      // One write contains both requests: once the first is answered, the server is reading the second.
      await once(stalled, 'data');
      const repeatedSignal = setInterval(() => void first.stop('SIGTERM'), 200);
      const { code } = await first.stop('SIGTERM').finally(() => clearInterval(repeatedSignal));
      stalled.destroy();
      expect(code).toBe(130);
      const second = await startServerProcess(environment);
      const serverEnv = { ...environment, THROUGHLINE_URL: second.address };
      expect((await throughline(['context', 'show', 'kept'], serverEnv)).code).toBe(0);
      expect(await second.stop()).toMatchObject({ code: 0 });
      expect(existsSync(join(directory, 'insisted', 'postgres', 'postmaster.pid'))).toBe(false);
    }, 60_000);

    it('does not recover a root key that the environment sets', async () => {
      const { code, err } = await throughline(['key', 'recover'], {
        THROUGHLINE_DATA_DIR: join(directory, 'set'),
        THROUGHLINE_ADMIN_KEY: '0123456789abcdef',
      });
      expect(code).toBe(1);
      expect(err).toContain('THROUGHLINE_ADMIN_KEY');
      expect(existsSync(join(directory, 'set'))).toBe(false);
    });

    it('migrates a new database once', async () => {
      const environment = { THROUGHLINE_DATA_DIR: join(directory, 'migrated') };
      const first = await throughline(['migrate'], environment);
      const second = await throughline(['migrate'], environment);
      expect(first).toMatchObject({ code: 0, err: '' });
      expect(first.out).toMatch(/^applied\n {2}\d{8}T\d{4}_/);
      expect(second.out).toBe('the database is already at the latest migration');
    }, 60_000);
  });
});
