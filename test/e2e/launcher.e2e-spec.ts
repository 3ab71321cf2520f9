import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

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
    write('migrations/checksums.json', '{"a": 1}');
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  function write(path: string, content: string) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), content);
  }

  async function launch(...args: string[]) {
    const script = join(directory, 'apps/cli/bin/throughline.mjs');
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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

  it('builds, runs, and passes arguments and exit code through', async () => {
    expect(await launch('a', 'b')).toMatchObject({ code: 2, out: 'first a b' });
    expect(existsSync(join(directory, 'dist/migrations/checksums.json'))).toBe(true);
  });

  it('builds again only what a source changed', async () => {
    expect((await launch('build')).out).toBe('dist is built');
    write('libs/word.spec.ts', `it('is', () => undefined);`);
    expect(await launch('build')).toEqual({ code: 0, out: 'dist is current', err: '' });
    write('libs/word.ts', `export const word = 'second';`);
    expect((await launch('a')).out).toBe('second a');
  });

  it('lets many first starts at once all work', async () => {
    const runs = await Promise.all(Array.from({ length: 6 }, () => launch('a')));
    expect(runs.map(({ code, out }) => ({ code, out }))).toEqual(
      runs.map(() => ({ code: 1, out: 'first a' })),
    );
    expect(builds()).toEqual(['dist', readlinkSync(join(directory, 'dist'))]);
  });

  it('never shows half a build to whoever starts meanwhile', async () => {
    await launch('build');
    for (let change = 0; change < 5; change++) {
      write('libs/word.ts', `export const word = 'word ${change}';`);
      const runs = await Promise.all([launch('a'), launch('a'), launch('a')]);
      for (const { code, out } of runs)
        expect({ code, out }).toEqual({ code: 1, out: `word ${change} a` });
    }
    expect(builds().length).toBeLessThanOrEqual(4);
  });

  it('keeps the last good build and names the file when a source does not compile', async () => {
    await launch('build');
    write('libs/word.ts', `export const = ;`);
    const { code, err } = await launch('a');
    expect(code).toBe(1);
    expect(err).toContain('libs/word.ts does not compile');
    expect(existsSync(join(directory, 'dist/libs/word.js'))).toBe(true);
  });

  it('runs a current build without the compiler, and says so where it is missed', async () => {
    await launch('build');
    rmSync(join(directory, 'node_modules'));
    expect(await launch('a')).toMatchObject({ code: 1, out: 'first a', err: '' });
    write('libs/word.ts', `export const word = 'second';`);
    const { code, err } = await launch('a');
    expect(code).toBe(1);
    expect(err).toContain('run "npm ci"');
  });

  it('takes a build that came without sources as it is', async () => {
    await launch('build');
    const built = join(directory, readlinkSync(join(directory, 'dist')));
    rmSync(join(directory, 'dist'));
    renameSync(built, join(directory, 'dist'));
    for (const folder of ['libs', 'migrations', 'apps/cli/src'])
      rmSync(join(directory, folder), { recursive: true });
    expect(await launch('a')).toMatchObject({ code: 1, out: 'first a', err: '' });
  });

  it('replaces a directory another tool has built', async () => {
    write('dist/apps/cli/src/main.js', 'throw new Error("foreign")');
    expect((await launch('a')).out).toBe('first a');
  });

  it('clears away what a killed build has left', async () => {
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(gone, 'close');
    write(`dist.draft-${gone.pid}/apps/half.js`, '');
    await launch('build');
    expect(builds().filter((name) => name.includes('draft'))).toEqual([]);
  });
});
