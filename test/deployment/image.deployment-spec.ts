import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { request } from 'undici';
import { z } from 'zod';

import { type TestServer, createEmptyDatabase, openTestServer, waitFor } from '#testing';

import { readCompose, resolveCompose, root } from './compose-file.js';
import { parseDockerfile } from './dockerfile.js';
import { ignoredBy } from './dockerignore.js';
import { Image, type Process } from './image.js';

const key = 'root-key-of-the-image-tests';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().default(false), optional: z.boolean().default(false) }),
  ),
});

/** Needs no engine: test/deployment/image.ts describes which facts that proves. */
describe('the image', () => {
  let image: Image;
  let postgres: TestServer;
  let databaseUrl: string;
  let before: string[];
  const running = new Set<Process>();

  beforeAll(async () => {
    postgres = await openTestServer();
    image = await Image.build(root);
    databaseUrl = await createEmptyDatabase(postgres);
    await image.makeReadOnly();
    before = await image.snapshot();
  }, 240_000);

  afterEach(async () => {
    await Promise.all([...running].map((each) => each.stop('SIGKILL')));
    running.clear();
  });

  afterAll(async () => {
    await postgres?.close();
    await image?.remove();
  });

  /** Starts the image with its environment and the given one, and waits for its health check. */
  async function start(env: Readonly<Record<string, string>>, words?: readonly string[]) {
    const port = String(assignedPort());
    const given = {
      THROUGHLINE_HOST: '127.0.0.1',
      THROUGHLINE_PORT: port,
      THROUGHLINE_ADMIN_KEY: key,
      ...env,
    };
    const process = image.start(given, words);
    running.add(process);
    let end: number | null | undefined;
    void process.ended.then((code) => void (end = code));
    const look = async () => {
      if (end !== undefined) throw new Error(`it ended with ${end}: ${process.output()}`);
      return image.checkHealth(given);
    };
    await waitFor('a health check that ends with 0', look, {
      until: (code) => code === 0,
      timeoutMs: 90_000,
    });
    return { process, url: `http://127.0.0.1:${env['PROJECTOR_PORT'] ?? port}`, given };
  }

  it('runs as a user other than root that may write to /data and /tmp only', async () => {
    const { process, url } = await start({ DATABASE_URL: databaseUrl });
    expect(await createContext(url)).toBe(201);
    expect(await process.stop('SIGTERM')).toBe(0);
    expect(await image.snapshot()).toEqual(before);
    for (const place of ['/', '/app', '/app/dist', '/app/node_modules', '/app/node_modules/pg'])
      expect({ place, canWrite: await image.canWriteTo(place) }).toEqual({
        place,
        canWrite: false,
      });
    for (const place of ['/data', '/tmp']) expect(await image.canWriteTo(place)).toBe(true);
    expect(image.user).toBe('node');
    // With an external database and a root key, the container needs no volume.
    expect(await readdir(join(image.root, 'data'))).toEqual([]);
  }, 120_000);

  it('is unhealthy before and after it serves', async () => {
    const { process, given } = await start({ DATABASE_URL: databaseUrl });
    await process.stop('SIGTERM');
    expect(await image.checkHealth(given)).not.toBe(0);
  }, 120_000);

  it('is the projector of docker-compose.yml, with the same health check', async () => {
    const { services } = resolveCompose(readCompose(), anyVariables);
    const words = [services['projector']?.command ?? []].flat();
    const port = String(assignedPort());
    const { process, url } = await start(
      { DATABASE_URL: databaseUrl, PROJECTOR_PORT: port, THROUGHLINE_PORT: '0' },
      words,
    );
    expect((await request(`${url}/metrics`)).statusCode).toBe(200);
    expect(await process.stop('SIGTERM')).toBe(0);
    expect(await image.snapshot()).toEqual(before);
  }, 120_000);

  it('runs the other commands of throughline', async () => {
    const file = join(image.root, 'tmp', 'nightly.backup');
    // Runs under any account: it needs no data directory.
    const env = { DATABASE_URL: databaseUrl, THROUGHLINE_DATA_DIR: join(image.root, 'app/none') };
    const backup = image.start(env, ['backup', file]);
    running.add(backup);
    expect({ code: await backup.ended, said: backup.output() }).toMatchObject({ code: 0 });
    expect((await stat(file)).size).toBeGreaterThan(0);
    const wrong = image.start({}, ['no-such-command']);
    running.add(wrong);
    expect(await wrong.ended).not.toBe(0);
  }, 120_000);

  it('stores an embedded database, and the generated key, in /data by default', async () => {
    const { process, url } = await start({ THROUGHLINE_ADMIN_KEY: '' });
    const kept = await readdir(join(image.root, 'data'));
    expect(kept).toEqual(expect.arrayContaining(['postgres', 'root-key']));
    expect((await request(`${url}/health/live`)).statusCode).toBe(200);
    expect(await process.stop('SIGTERM')).toBe(0);
    expect(await image.snapshot()).toEqual(before);
  }, 120_000);

  it('contains the files for running, and none for building', async () => {
    const { packages } = lockFile.parse(
      JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
    );
    const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
    const isThere = (path: string) => existsSync(join(image.root, 'app', path));
    const isPublished = ([path]: [string, unknown]) => path.includes('/@throughline/');
    const others = installed.filter((each) => !isPublished(each));
    const [forTests, forAll] = [
      others.filter(([, { dev }]) => dev),
      others.filter(([, { dev, optional }]) => !dev && !optional),
    ];
    // The build contains the parts of published packages that the server uses.
    const published = installed.filter(isPublished).map(([path]) => path);
    expect(published).toHaveLength(3);
    expect(published.filter(isThere)).toEqual([]);
    expect(forTests.length).toBeGreaterThan(100);
    expect(forTests.map(([path]) => path).filter(isThere)).toEqual([]);
    expect(forAll.map(([path]) => path).filter((path) => !isThere(path))).toEqual([]);
    const top = await readdir(join(image.root, 'app'));
    expect(top.sort()).toEqual(
      [
        '.npmrc',
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'apps',
        'dist',
        'docker',
        'docs',
        'node_modules',
        'package-lock.json',
        'package.json',
      ].sort(),
    );
    const nodes = await readdir(join(image.root, 'app', 'node_modules'));
    expect(nodes.filter((name) => name.startsWith('node-linux'))).toEqual([]);
    expect((await stat(join(image.root, 'data'))).mode & 0o777).toBe(0o700);
  });

  it('contains the programs that docker-compose.yml starts', () => {
    const { services } = resolveCompose(readCompose(), anyVariables);
    const ours = Object.values(services).filter(({ image: name }) => /^throughline:/.test(name));
    expect(ours.filter(({ build }) => build === '.')).toHaveLength(1);
    const scripts = ours.flatMap(({ healthcheck, entrypoint }) =>
      [healthcheck?.test ?? [], entrypoint ?? []].flat().filter((word) => word.endsWith('.mjs')),
    );
    expect(new Set(scripts)).toEqual(
      new Set(['docker/health.mjs', 'docker/make-kurrentdb-user.mjs']),
    );
    for (const script of scripts) {
      expect(existsSync(join(image.root, 'app', script))).toBe(true);
      const code = readFileSync(join(image.root, 'app', script), 'utf8');
      for (const [, path = ''] of code.matchAll(/import\('(\.[^']+)'\)/g))
        expect(existsSync(join(image.root, 'app', 'docker', path))).toBe(true);
    }
  });
});

describe('the program that runs a Dockerfile', () => {
  it.each([
    'FROM a\nADD a b',
    'FROM a\nRUN --mount=type=cache,target=/c true',
    'FROM a\nCOPY --chown=node a b',
    'FROM a\nARG A=1',
    'FROM --platform=linux/arm64 a',
    'RUN true',
  ])('refuses unsupported instructions: %j', (text) => {
    expect(() => parseDockerfile(text)).toThrow();
  });

  it('reads continued lines, and comments between them', () => {
    const [stage] = parseDockerfile('# a\nFROM a AS b\nRUN one \\\n  # why\n  && two\nCMD ["c"]');
    expect(stage).toMatchObject({ from: 'a', name: 'b' });
    expect(stage?.instructions.map(({ name, text }) => `${name} ${text}`)).toEqual([
      'RUN one && two',
      'CMD ["c"]',
    ]);
  });
});

describe('.dockerignore', () => {
  const ignores = ignoredBy(readFileSync(join(root, '.dockerignore'), 'utf8'));

  it.each(['.git/config', '.env', 'docker/.env', '.throughline/root-key', 'node_modules/pg/a.js'])(
    'leaves out %s',
    (path) => expect(ignores(path)).toBe(true),
  );

  it.each(['apps/api/src/a.spec.ts', 'libs/testing/src/index.ts', 'test/run.mjs', 'bench/run.mjs'])(
    'leaves out %s, which no image needs',
    (path) => expect(ignores(path)).toBe(true),
  );

  it.each([
    'package.json',
    'apps/api/src/main.ts',
    'libs/database/src/index.ts',
    'migrations/a.ts',
  ])('includes %s', (path) => expect(ignores(path)).toBe(false));
});

const anyVariables = new Proxy<Record<string, string>>({}, { get: () => 'secret' });

async function createContext(url: string): Promise<number> {
  const { statusCode, body } = await request(`${url}/v1/contexts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ contextId: 'first', title: 'First' }),
  });
  await body.dump();
  return statusCode;
}

/**
 * The health check needs the port in advance, so that the server cannot choose it. The port is below the range that
 * systems assign to connections and to servers on port 0, so that no other process gets it first.
 */
function assignedPort(): number {
  return randomInt(10_000, 32_000);
}
