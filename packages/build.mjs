// Builds the packages that are published: `npm run packages:build` each into its `dist`, `--into <directory>` the whole
// packages below that directory, as they are packed. Names that are given are built alone. Every package with a
// tsconfig.json is built, those that others import first.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const here = import.meta.dirname;
const root = join(here, '..');
const inOrder = ['sdk', 'mcp', 'langgraph'];
const frameworks = { langgraph: '@langchain/langgraph-checkpoint' };
const packed = ['package.json', 'README.md', 'skills'];

const { values, positionals } = parseArgs({
  options: { into: { type: 'string' } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : inOrder.filter(isBuilt);
for (const name of names) build(name, join(resolve(values.into ?? here), name));

/** What needs a framework is built if the adapter tests have installed it, or by its name. */
function isBuilt(name) {
  const framework = frameworks[name];
  const isInstalled = !framework || existsSync(join(root, 'test/adapters/node_modules', framework));
  return isInstalled && existsSync(join(here, name, 'tsconfig.json'));
}

function build(name, target) {
  // The others are compiled against the types of what is built in its place.
  if (name !== 'sdk' && !existsSync(join(here, 'sdk/dist'))) build('sdk', join(here, 'sdk'));
  const output = join(target, 'dist');
  rmSync(output, { recursive: true, force: true });
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const project = join(here, name, 'tsconfig.json');
  const { status } = spawnSync(
    process.execPath,
    [compiler, '--project', project, '--outDir', output],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
  if (target === join(here, name)) return;
  mkdirSync(target, { recursive: true });
  for (const file of packed)
    if (existsSync(join(here, name, file)))
      cpSync(join(here, name, file), join(target, file), { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
}
