// `npm run bench:limits`: sends the largest and most demanding permitted requests one after another, and reports the
// delay of another client and the memory of the server.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { buildIfStale } from '../apps/cli/bin/build.mjs';

const root = join(import.meta.dirname, '..');
const say = (line) => process.stderr.write(`${line}\n`);
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));

await buildIfStale(root, { report: say }).catch((error) => {
  say(`bench: ${error.message}`);
  process.exit(1);
});
const build = await realpath(join(root, 'dist'));
const { measureLimits } = await import('./limits/measure.mjs');
await measureLimits({ build, only, say });
