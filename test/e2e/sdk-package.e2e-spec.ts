import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ThroughlineServer } from './throughline-server.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const program = (path: string) => join(root, 'node_modules', path);

/** A project with nothing in it but the installed package. */
let project: string;
let tarball: string;
let page: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'throughline-sdk-'));
  page = await readFile(join(root, 'docs', 'typescript-sdk.md'), 'utf8');
  const built = join(project, 'built');
  await node([join(root, 'packages', 'build.mjs'), 'sdk', '--into', built]);
  const [packed] = JSON.parse(await npm('pack', '--json', join(built, 'sdk')));
  tarball = join(project, packed.filename);
  await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }');
  await npm('install', '--offline', '--no-audit', '--no-fund', tarball);
}, 120_000);

afterAll(() => rm(project, { recursive: true, force: true }));

async function node(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout } = await run(process.execPath, args, {
    ...{ cwd: project, env: { ...process.env, ...env } },
  });
  return stdout;
}

async function npm(...args: string[]): Promise<string> {
  return (await run('npm', args, { cwd: project })).stdout;
}

/** The blocks of the page in this language, in order. */
function blocks(language: string): string[] {
  const found = page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...found].map(([, code = '']) => code);
}

describe('the packed SDK', () => {
  it('is found without a fault by the checks of packages', async () => {
    await node([program('publint/src/cli.js'), 'run', '--strict', tarball]);
    await node([program('@arethetypeswrong/cli/dist/index.js'), tarball, '--profile', 'esm-only']);
  }, 60_000);

  it('depends on nothing, and is installed alone', async () => {
    const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/@throughline/sdk']);
    expect(lock.packages['node_modules/@throughline/sdk']).not.toHaveProperty('dependencies');
  });

  it('has two agents share a context, of whom one rebases, with the lines of the page', async () => {
    const server = await ThroughlineServer.shared();
    const [code = ''] = blocks('js');
    const [output] = blocks('text');
    await writeFile(join(project, 'two-agents.mjs'), code);
    const printed = await node(['two-agents.mjs'], {
      THROUGHLINE_URL: server.url,
      ARCHITECT_KEY: await server.key({ role: 'agent', agentId: 'architect' }),
      BUILDER_KEY: await server.key({ role: 'agent', agentId: 'builder' }),
    });
    await server.stop();
    expect(printed).toBe(output);
  }, 60_000);

  it.each(['nodenext', 'bundler'])('has types under the resolution %s', async (resolution) => {
    await mkdir(join(project, 'node_modules', '@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types']) {
      const link = join(project, 'node_modules', name);
      await rm(link, { force: true });
      await symlink(program(name), link);
    }
    await writeFile(join(project, 'uses.ts'), usesOf(blocks('js').slice(1)));
    const options = {
      ...{ strict: true, noEmit: true, target: 'es2022', types: ['node'], skipLibCheck: false },
      ...{ module: resolution === 'bundler' ? 'esnext' : resolution, moduleResolution: resolution },
    };
    const config = { compilerOptions: options, files: ['uses.ts'] };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
    const compiled = await node([program('typescript-7/bin/tsc'), '-p', '.']).catch(
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(compiled).toBe('');
  });
});

/** The pieces of code of the page, each in a function of its own, and what must not compile. */
function usesOf(pieces: readonly string[]): string {
  return [
    `import { type ClientEvent, type ContextDocument, isThroughlineError, Throughline, WorkFailure } from '@throughline/sdk';`,
    `declare const tl: Throughline, events: ClientEvent[], expectedVersion: number, signal: AbortSignal;`,
    `declare const document: ContextDocument, input: unknown, context: ReturnType<Throughline['context']>;`,
    `declare let cursor: string;`,
    `declare function writeCode(context: unknown, signal: AbortSignal): Promise<string[]>;`,
    ...pieces.map((piece, index) => `export async function piece${index}() {\n${piece}}`),
    `export async function wrong() {`,
    `  // @ts-expect-error: no such type of event`,
    `  await context.append([{ type: 'StepOutputAdd', data: { stepId: 'a', output: 1 } }]);`,
    `  // @ts-expect-error: a decision has a text`,
    `  await context.decisions.record({ topic: 'storage' });`,
    `  const error: unknown = new WorkFailure('x');`,
    `  if (isThroughlineError(error, 'version-conflict')) return error.missed[0]?.version.toFixed();`,
    `  // @ts-expect-error: other errors have no such member`,
    `  if (isThroughlineError(error, 'forbidden')) return error.missed;`,
    `  return Throughline.fromEnvironment().me();`,
    `}`,
  ].join('\n');
}
