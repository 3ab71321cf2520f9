import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { isRunning } from '../../libs/database/src/embedded-postgres/process-identity.js';
import { waitFor } from '../../libs/testing/src/wait-for.js';
import { statedVariables } from '../runner/repeat-command.mjs';
import { root } from './project-files.js';

const stages = `
export const rows = [
  [suites('plain'), suites('crashing'), suites('hanging'), program('failing', 'process.exit(3)')],
];
export const longRows = [[suites('waiting')], [program('ending', '')], [suites('last')], [suites('next')]];
function suites(name) { return { name, project: name, workers: 1 }; }
function program(name, code) { return { name, commands: [['--eval', code]] }; }
`;

const config = `
export default {
  projects: ['plain', 'crashing', 'hanging', 'waiting', 'last', 'next'].map((name) => ({
    displayName: name,
    rootDir: import.meta.dirname,
    testRunner: '<rootDir>/test/measured-suites.mjs',
    testMatch: ['<rootDir>/suites/' + name + '/*.cjs'],
  })),
};
`;

const suites = {
  // Some line readers would split the output at this title.
  'plain/good.cjs': `test('adds \u2028 in two lines', () => expect(1 + 1).toBe(2)); test.skip('is for later', () => {});`,
  'plain/bad.cjs': `
    describe('sums', () => {
      test("can't be (wrong)", () => { console.log('a hint'); expect(1 + 1).toBe(3); });
      test('can be right', () => expect(1 + 1).toBe(2));
      test('has the seed', () => expect(process.env.THROUGHLINE_TEST_SEED).toBe('7'));
    });`,
  'plain/broken.cjs': `throw new Error('broken before any test');`,
  'crashing/crash.cjs': `test('crashes', () => process.kill(process.pid, 'SIGKILL'));`,
  'hanging/hang.cjs': `test('hangs', () => new Promise(() => {}), 60_000);`,
  'last/goes-on.cjs': `
    test('goes on until a suite of the next row runs', async () => {
      const { existsSync, watch } = require('node:fs');
      const changed = watch(process.cwd());
      await new Promise((done) => {
        const look = () => existsSync(process.cwd() + '/next') && done();
        changed.on('change', look);
        look();
      });
      changed.close();
    }, 30_000);`,
  'next/starts.cjs': `test('starts', () => require('node:fs').writeFileSync(process.cwd() + '/next', ''));`,
  'waiting/wait.cjs': `
    test('waits', async () => {
      const { pid } = require('node:child_process').spawn(process.execPath, ['--eval', 'setTimeout(() => {}, 100_000)']);
      require('node:fs').writeFileSync(process.cwd() + '/pid', String(pid));
      await new Promise(() => {});
    }, 60_000);`,
  // The smaller suite starts last; the next row waits until then.
  'waiting/later.cjs': `test('runs later', () => {});`,
};

let directory: string;

beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-runner-')));
  cpSync(join(root, 'test/run.mjs'), join(directory, 'test/run.mjs'));
  cpSync(join(root, 'test/runner'), join(directory, 'test/runner'), { recursive: true });
  cpSync(join(root, 'test/measured-suites.mjs'), join(directory, 'test/measured-suites.mjs'));
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  write('package.json', '{ "type": "module" }');
  write('test/runner/stages.mjs', stages);
  write('jest.config.mjs', config);
  for (const [path, code] of Object.entries(suites)) write(`suites/${path}`, code);
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('npm test', () => {
  let output: string;
  let code: number | null;

  beforeAll(async () => {
    ({ output, code } = await run(['--seed', '7'], { THROUGHLINE_STAGE_LIMIT_MS: '20000' }));
  });

  it('prints its seed first, and the counts of all stages last', () => {
    expect(output.split('\n')[0]).toContain('seed: 7');
    // The stage "plain" has a test and a suite, and each other stage has one.
    expect(output.trimEnd().split('\n').at(-1)).toBe('3 passed, 5 failed, 1 skipped');
    expect(code).toBe(1);
  });

  it('prints the text of a failure, the log of its suite, and the command that repeats it', () => {
    expect(output).toContain("● sums › can't be (wrong)");
    expect(output).toContain('Expected: 3');
    expect(output).toContain('console.log: a hint');
    expect(output).toContain(
      `repeat: npm test -- plain suites/plain/bad.cjs --seed 7 -t '^sums can'\\''t be \\(wrong\\)$'`,
    );
  });

  it('counts a suite that fails before its tests', () => {
    expect(output).toContain('broken before any test');
    expect(output).toContain('repeat: npm test -- plain suites/plain/broken.cjs --seed 7\n');
  });

  it('counts a crashed run, and a failed program', () => {
    expect(output).toContain('FAILED crashing (jest ended with code null)');
    expect(output).toContain('FAILED failing');
  });

  it('ends a run that hangs, and names its suite', () => {
    expect(output).toMatch(
      /FAILED hanging \(killed: not done after 20 s\)\n(.*\n)*still running: suites\/hanging\/hang\.cjs\nrepeat: npm test -- hanging suites\/hanging\/hang\.cjs --seed 7\n/,
    );
  });

  it('lists skipped tests, the slowest suites, and those with most processor time', () => {
    expect(output).toMatch(/skipped:\n {2}plain suites\/plain\/good\.cjs: is for later/);
    expect(output).toMatch(/slowest suites:\n.* plain +suites\/plain\/\w+\.cjs/);
    // Only Linux reports the processor time of a process.
    if (process.platform !== 'linux') return;
    expect(output).toMatch(/suites with most processor time:\n.* plain +suites\/plain\/\w+\.cjs/);
  });

  it('runs only the tests that a repeat command names', async () => {
    const repeated = await run(['plain', 'suites/plain/bad.cjs', '-t', '^sums can be right$']);
    expect(repeated.output.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed');
    expect(repeated.code).toBe(0);
  });

  it('fails if no test matches', async () => {
    const { output: text, code: result } = await run(['plain', 'suites/elsewhere']);
    expect(text.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed');
    expect(result).toBe(1);
  });

  it('refuses an unknown stage, and paths for a stage without suites', async () => {
    expect(await run(['plane'])).toMatchObject({
      code: 2,
      output: expect.stringContaining('unknown: plane'),
    });
    expect(await run(['ending', 'suites'])).toMatchObject({ code: 2 });
  });

  it('starts a row while the last suites of the previous row are running', async () => {
    const { output: text } = await run(['last', 'next']);
    expect(text.trimEnd().split('\n').at(-1)).toBe('2 passed, 0 failed');
  });

  it('ends its child processes when it is terminated', async () => {
    const ended = await run(['waiting', 'ending'], {}, async (child) => {
      const started = await waitFor('a suite that runs', readPid, { until: (pid) => pid !== '' });
      child.kill('SIGTERM');
      return started;
    });
    expect(ended.code).toBe(130);
    expect(ended.output).toContain('FAILED waiting (stopped by SIGTERM)');
    expect(ended.output.trimEnd().split('\n').at(-1)).toBe('0 passed, 2 failed');
    await waitFor('the end of what the suite started', () => isRunning(Number(readPid())), {
      until: (isAlive) => !isAlive,
    });
  });
});

/** The environment without the variables for suites of the outer run. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !statedVariables.includes(name)),
);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  meanwhile?: (child: ChildProcess) => Promise<unknown>,
): Promise<{ output: string; code: number | null }> {
  const child = spawn(process.execPath, ['test/run.mjs', ...args], {
    cwd: directory,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = once(child, 'close');
  await meanwhile?.(child);
  await closed;
  return { output: Buffer.concat(chunks).toString(), code: child.exitCode };
}

function readPid(): string {
  const file = join(directory, 'pid');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
