import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import { rootKey } from './throughline-server.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const frameworks = join(import.meta.dirname, '../node_modules/@langchain');
const packages = ['sdk', 'langgraph'];

/** A project with the packed packages and the framework only. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'throughline-langgraph-'));
  // npm builds each package before packing it.
  await npm('pack', ...packages.map((name) => join(root, 'packages', name)));
  await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }');
  const tarballs = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  await npm(
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    ...tarballs.map((name) => `./${name}`),
  );
  await symlink(frameworks, join(project, 'node_modules/@langchain'));
  await copyFile(
    join(root, 'packages/langgraph/examples/story-writer.ts'),
    join(project, 'story-writer.ts'),
  );
});

afterAll(() => rm(project, { recursive: true, force: true }));

it('the example runs with the packed packages, and one of two concurrent runs has to wait', async () => {
  const text = await node('story-writer.ts');
  expect(text).toMatch(/^(password|passkey) has to wait for another run$/m);
  expect(text).toMatch(/^context langgraph\.thread\.story-\d+$/m);
  for (const topic of ['login', 'password', 'passkey'])
    expect(text).toContain(`text about ${topic}\n`);
  expect(text).toMatch(/^topics: (?=.*login)(?=.*password)(?=.*passkey)/m);
});

it('the example compiles with the types of the packed packages', async () => {
  await symlink(join(root, 'node_modules/@types'), join(project, 'node_modules/@types'));
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--types',
    'node',
  ];
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  const faults = await node(compiler, ...options, 'story-writer.ts').catch(
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(faults).toBe('');
});

async function node(...args: string[]): Promise<string> {
  const env = { ...process.env, THROUGHLINE_URL: inject('url'), THROUGHLINE_KEY: rootKey };
  return (await run(process.execPath, args, { cwd: project, env })).stdout;
}

async function npm(...args: string[]): Promise<string> {
  return (await run('npm', args, { cwd: project })).stdout;
}
