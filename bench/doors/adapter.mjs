import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { rolldown } from 'rolldown';

/** Has a separate lock, so that other benchmarks do not wait for it. */
const adapters = join(import.meta.dirname, '../../test/adapters');
const { resolve } = createRequire(join(adapters, 'package.json'));

/** The packages that the adapter tests have installed. */
export async function loadPackage(name) {
  await installAdapters();
  return import(pathToFileURL(resolve(name).replace(/\.cjs$/, '.js')).href);
}

/** The SDK and the adapter of LangGraph in one module, built from their sources. */
export async function loadAdapter(root) {
  await installAdapters();
  const entry = join(adapters, 'node_modules/.throughline-entry.mjs');
  const file = join(adapters, 'node_modules/.throughline-bundle.mjs');
  const [sdk, adapter] = ['sdk', 'langgraph'].map((name) =>
    join(root, 'packages', name, 'src/index.ts'),
  );
  const lines = [sdk, adapter].map((path) => `export * from ${JSON.stringify(path)};\n`);
  await writeFile(entry, lines.join(''));
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    external: /^@langchain\//,
    resolve: { alias: { '@throughline/sdk': sdk } },
  });
  await bundle.write({ file });
  await bundle.close();
  return import(pathToFileURL(file).href);
}

async function installAdapters() {
  const stamp = join(adapters, 'node_modules/.locked');
  const lock = await readFile(join(adapters, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === digest) return;
  // The driver of the SQLite saver would need compilation, and is not used.
  const words = ['ci', '--prefix', adapters, '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = spawn('npm', words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'exit');
  if (code !== 0) throw new Error('npm ci --prefix test/adapters has failed');
  await writeFile(stamp, digest);
}
