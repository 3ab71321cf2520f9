import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const here = import.meta.dirname;
const stamp = join(here, 'node_modules', '.locked');

/** Installs bench/package-lock.json if necessary; returns the reason if that fails. */
export async function installPeers(say) {
  const lock = createHash('sha256')
    .update(await readFile(join(here, 'package-lock.json')))
    .digest('hex');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === lock) return undefined;
  say('bench: installing what to measure against ...');
  const npm = spawn('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'exit');
  if (code !== 0) return `npm ci --prefix bench ended with ${code}`;
  await writeFile(stamp, lock);
  return undefined;
}
