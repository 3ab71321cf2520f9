// Builds the published packages, each into its `dist`, and copies the license to each. Run by `npm run packages:build`, and by npm before it packs a
// package. Arguments select packages by name; by default, every package with a tsconfig.json is built, imported packages first.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '..');
const inOrder = ['sdk', 'mcp', 'langgraph'];
const frameworks = { langgraph: '@langchain/langgraph-checkpoint' };

const given = process.argv.slice(2);
const names = given.length > 0 ? given : inOrder.filter(isBuilt);
// The other packages are compiled against the types of the built SDK.
for (const name of new Set(['sdk', ...names])) build(name);

/** By default, a package that needs a framework is built only if the adapter tests have installed the framework. */
function isBuilt(name) {
  const framework = frameworks[name];
  const isInstalled = !framework || existsSync(join(root, 'test/adapters/node_modules', framework));
  return isInstalled && existsSync(join(here, name, 'tsconfig.json'));
}

function build(name) {
  const target = join(here, name);
  rmSync(join(target, 'dist'), { recursive: true, force: true });
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const arguments_ = [compiler, '--project', join(target, 'tsconfig.json')];
  const { status } = spawnSync(process.execPath, arguments_, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
}
