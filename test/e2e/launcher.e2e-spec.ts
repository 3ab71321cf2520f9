import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { waitFor } from '#testing';

const root = join(import.meta.dirname, '..', '..');

const cli = `
  import { word } from '#word';
  export async function runCli(argv: readonly string[]): Promise<number> {
    process.stdout.write([word, ...argv].join(' ') + '\\n');
    return argv.length;
  }`;

describe('the launcher', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'throughline-launcher-'));
    cpSync(join(root, 'apps/cli/bin'), join(directory, 'apps/cli/bin'), { recursive: true });
    write(
      'package.json',
      JSON.stringify({
        type: 'module',
        imports: { '#word': './dist/libs/word.js' },
        version: '1.0.0',
      }),
    );
    write('package-lock.json', '{}');
    write('apps/cli/src/main.ts', cli);
    write('libs/word.ts', `export const word: string = 'first';`);
    write('packages/sdk/src/index.ts', 'export {};');
    write('migrations/checksums.json', '{"a": 1}');
    write('apps/console/index.html', '<link href="%style%" /><script src="%script%"></script>');
    write('apps/console/tsconfig.json', '{}');
    write('apps/console/src/main.tsx', `document.title = 'console';`);
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  function write(path: string, content: string) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), content);
  }

  function launch(...args: string[]) {
    return launchWith({}, args);
  }

  async function launchWith(env: Readonly<Record<string, string>>, args: readonly string[]) {
    const script = join(directory, 'apps/cli/bin/throughline.mjs');
    const { PATH } = process.env;
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH, ...env },
    });
    const [out, err] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code: child.exitCode, out: out.trim(), err: err.trim() };
  }

  function builds() {
    return readdirSync(directory).filter((name) => name.startsWith('dist'));
  }

  it('builds, runs, and passes on arguments and exit code', async () => {
    expect(await launch('a', 'b')).toMatchObject({ code: 2, out: 'first a b' });
    expect(existsSync(join(directory, 'dist/migrations/checksums.json'))).toBe(true);
  });

  it('builds the console, whose page names its files by their hashes', async () => {
    await launch('build');
    const page = () => readFileSync(join(directory, 'dist/console/index.html'), 'utf8');
    const first = page();
    for (const [, name = ''] of first.matchAll(/\/console\/assets\/([^"]+)/g))
      for (const extension of ['', '.gz', '.br'])
        expect(existsSync(join(directory, `dist/console/assets/${name}${extension}`))).toBe(true);
    write('apps/console/src/main.tsx', `document.title = 'other';`);
    await launch('build');
    expect(page()).toMatch(/src="\/console\/assets\/main-[\w-]{8}\.js"/);
    expect(page()).not.toBe(first);
  });

  it('builds again only after a change of a source', async () => {
    expect((await launch('build')).out).toBe('dist is built');
    write('libs/word.spec.ts', `it('is', () => undefined);`);
    expect(await launch('build')).toEqual({ code: 0, out: 'dist is current', err: '' });
    write('libs/word.ts', `export const word = 'second';`);
    expect((await launch('a')).out).toBe('second a');
  });

  it('uses an existing build if THROUGHLINE_REBUILD is never, and builds if there is none', async () => {
    const env = { THROUGHLINE_REBUILD: 'never' };
    expect((await launchWith(env, ['a'])).out).toBe('first a');
    write('libs/word.ts', `export const word = 'second';`);
    expect((await launchWith(env, ['a'])).out).toBe('first a');
    expect((await launch('a')).out).toBe('second a');
  });

  it('detects a change that preserves the size and the time of a source', async () => {
    const source = join(directory, 'libs/word.ts');
    await waitFor('a build whose sources have not changed just now', async () => {
      await launch();
      return existsSync(join(directory, 'dist/.stamp'));
    });
    expect((await launch()).out).toBe('first');
    const { atime, mtime } = statSync(source);
    write('libs/word.ts', readFileSync(source, 'utf8').replace('first', 'other'));
    utimesSync(source, atime, mtime);
    expect((await launch()).out).toBe('other');
  });

  it('lets many first starts at once succeed', async () => {
    const runs = await Promise.all(Array.from({ length: 6 }, () => launch('a')));
    expect(runs.map(({ code, out }) => ({ code, out }))).toEqual(
      runs.map(() => ({ code: 1, out: 'first a' })),
    );
    expect(builds()).toEqual(['dist', readlinkSync(join(directory, 'dist'))]);
  });

  it('never exposes a partial build to concurrent starts', async () => {
    await launch('build');
    for (let change = 0; change < 5; change++) {
      write('libs/word.ts', `export const word = 'word ${change}';`);
      const runs = await Promise.all([launch('a'), launch('a'), launch('a')]);
      for (const { code, out } of runs)
        expect({ code, out }).toEqual({ code: 1, out: `word ${change} a` });
    }
    expect(builds().length).toBeLessThanOrEqual(4);
  });

  it('retains the last good build and names the file if a source does not compile', async () => {
    await launch('build');
    write('libs/word.ts', `export const = ;`);
    const { code, err } = await launch('a');
    expect(code).toBe(1);
    expect(err).toContain('libs/word.ts does not compile');
    expect(existsSync(join(directory, 'dist/libs/word.js'))).toBe(true);
  });

  it('runs a current build without the compiler, and reports that the compiler is missing if it needs one', async () => {
    await launch('build');
    rmSync(join(directory, 'node_modules'));
    expect(await launch('a')).toMatchObject({ code: 1, out: 'first a', err: '' });
    write('libs/word.ts', `export const word = 'second';`);
    const { code, err } = await launch('a');
    expect(code).toBe(1);
    expect(err).toContain('run "npm ci"');
  });

  it('uses a build that was delivered without sources', async () => {
    await launch('build');
    const buildDirectory = join(directory, readlinkSync(join(directory, 'dist')));
    rmSync(join(directory, 'dist'));
    renameSync(buildDirectory, join(directory, 'dist'));
    for (const folder of ['libs', 'packages', 'migrations', 'apps/cli/src'])
      rmSync(join(directory, folder), { recursive: true });
    expect(await launch('a')).toMatchObject({ code: 1, out: 'first a', err: '' });
  });

  it('bundles a program, whose modules remain next to the bundle', async () => {
    await launch('build');
    for (const module of ['bundle/cli.js', 'apps/cli/src/main.js', 'libs/word.js'])
      expect(existsSync(join(directory, 'dist', module))).toBe(true);
    rmSync(join(directory, 'dist/libs/word.js'));
    expect(await launch('a')).toMatchObject({ code: 1, out: 'first a', err: '' });
  });

  it('makes equal bundles of equal sources', async () => {
    const rebuild = async () => {
      rmSync(join(directory, 'dist'), { recursive: true, force: true });
      for (const name of builds()) rmSync(join(directory, name), { recursive: true });
      await launch('build');
      return ['cli.js', 'cli.js.map'].map((name) =>
        readFileSync(join(directory, 'dist/bundle', name), 'utf8'),
      );
    };
    expect(await rebuild()).toEqual(await rebuild());
  });

  it('bundles again if a package may have changed', async () => {
    await launch('build');
    const before = readlinkSync(join(directory, 'dist'));
    write('package-lock.json', '{"changed": true}');
    expect((await launch('build')).out).toBe('dist is built');
    expect(readlinkSync(join(directory, 'dist'))).not.toBe(before);
  });

  it('runs the modules if there is no bundler', async () => {
    rmSync(join(directory, 'node_modules'));
    mkdirSync(join(directory, 'node_modules'));
    symlinkSync(join(root, 'node_modules/@swc'), join(directory, 'node_modules/@swc'));
    expect(await launch('a')).toMatchObject({ code: 1, out: 'first a' });
    expect(existsSync(join(directory, 'dist/bundle'))).toBe(false);
    expect((await launch('a')).err).toBe('');
  });

  it('gives a bundled module the URL that it has outside the bundle', async () => {
    write('libs/word.ts', `export const word = import.meta.url;`);
    const { out } = await launch('a');
    expect(out).toMatch(/^file:.*\/libs\/word\.js a$/);
    expect(existsSync(new URL(out.split(' ')[0] ?? ''))).toBe(true);
  });

  it('retains calls in the bundle that are made for their errors only', async () => {
    write(
      'libs/word.ts',
      `function refuses(call: () => void): boolean {
        try {
          call();
          return false;
        } catch {
          return true;
        }
      }
      function isText(text: string): boolean {
        try {
          decodeURIComponent(text);
          return true;
        } catch {
          return false;
        }
      }
      export const word = [
        refuses(() => { new URL('no address'); }),
        refuses(() => { new RegExp('('); }),
        refuses(() => { BigInt('x'); }),
        isText('%ff'),
      ].join();`,
    );
    expect((await launch('a')).out).toBe('true,true,true,false a');
  });

  it('does not load undici for a server', async () => {
    write(
      'libs/word.ts',
      `import { STATUS_CODES } from 'node:http';
      import * as http from 'node:http';
      export const word = [STATUS_CODES[200], typeof http.createServer,
        process.moduleLoadList.some((name) => name.endsWith('undici/undici'))].join(' ');`,
    );
    expect((await launch('a')).out).toBe('OK function false a');
  });

  it.each(['bundle', 'modules'])(
    'names the source and the line in stack traces of the %s',
    async (kind) => {
      write(
        'libs/word.ts',
        `type Shape = { a: 1 };

      export const word = String(new Error('here').stack);`,
      );
      await launch('build');
      if (kind === 'modules') rmSync(join(directory, 'dist/bundle'), { recursive: true });
      const { out } = await launch('a');
      expect(out).toMatch(/^Error: here\n {4}at .*libs\/word\.ts:3:34/);
    },
  );

  it('replaces a directory that another tool has built', async () => {
    write('dist/apps/cli/src/main.js', 'throw new Error("foreign")');
    expect((await launch('a')).out).toBe('first a');
  });

  it('removes the remains of a killed build', async () => {
    const staleBuild = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(staleBuild, 'close');
    write(`dist.draft-${staleBuild.pid}/apps/half.js`, '');
    await launch('build');
    expect(builds().filter((name) => name.includes('draft'))).toEqual([]);
  });
});
