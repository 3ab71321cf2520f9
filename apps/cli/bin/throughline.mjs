#!/usr/bin/env node
// The command `throughline`: plain JavaScript without dependencies, so that it runs in a fresh clone. It brings
// `dist` up to date and runs the compiled CLI in the same process, so that signals and exit codes need no forwarding.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { hasStampOfBuild } from './sources.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const oldestNode = [22, 15];

if (isNodeTooOld()) runUnderInstalledNode();
else await main(process.argv.slice(2));

async function main(argv) {
  const built = await bringUpToDate();
  if (built === undefined) {
    process.exitCode = 1;
    return;
  }
  if (argv[0] === 'build') {
    process.stdout.write(`${built ? 'dist is built' : 'dist is current'}\n`);
    return;
  }
  const { openPrograms } = await import('./programs.mjs');
  const load = openPrograms(root);
  if (argv[0] === 'demo') {
    const { runDemo } = await load('demo');
    process.exitCode = await runDemo(argv.slice(1), { launcher: fileURLToPath(import.meta.url) });
    return;
  }
  const { runCli } = await load('cli');
  // Passed as functions, because applications must not import each other.
  const startServer = async (...args) => (await load('api')).runApi(...args);
  const startProjector = async (...args) => (await load('projector')).runProjector(...args);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  process.exitCode = await runCli(argv, { startServer, startProjector, version });
  // A handle left open by mistake must not keep a finished command alive.
  setTimeout(() => process.exit(), 2000).unref();
}

/**
 * Returns whether it built, or undefined if the build failed and the error was reported. With
 * `THROUGHLINE_REBUILD=never`, an existing build is used without comparing it with the sources.
 */
async function bringUpToDate() {
  const isSettled = process.env.THROUGHLINE_REBUILD === 'never';
  if (isSettled && existsSync(join(root, 'dist', 'apps'))) return false;
  if (hasStampOfBuild(root)) return false;
  // Loaded lazily: most commands do not need it.
  const { BuildError, buildIfStale } = await import('./build.mjs');
  try {
    return await buildIfStale(root, { report: (line) => process.stderr.write(`${line}\n`) });
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`throughline: ${error.message}\n`);
    return undefined;
  }
}

function isNodeTooOld() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
}

/** `npm ci` installs its own Node. npm scripts and npx use it; a bare `node` does not. */
function runUnderInstalledNode() {
  const node = join(
    root,
    'node_modules',
    '.bin',
    process.platform === 'win32' ? 'node.cmd' : 'node',
  );
  if (!existsSync(node)) {
    process.stderr.write(
      `throughline: Node ${oldestNode.join('.')} or newer is required, this is ${process.versions.node}; run "npm ci", which installs it.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, process.argv.slice(1), {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  // A terminal sends Ctrl-C to both processes; anything else reaches only this one.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
