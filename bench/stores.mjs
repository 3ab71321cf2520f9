// `npm run bench:stores [-- --quick]`: the event stores in comparison, the size of an event on disk, several servers.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { buildIfStale } from '../apps/cli/bin/build.mjs';

const root = join(import.meta.dirname, '..');
const quick = process.argv.includes('--quick');
const say = (line) => process.stderr.write(`${line}\n`);

await buildIfStale(root, { report: say }).catch((error) => {
  say(`bench: ${error.message}`);
  process.exit(1);
});
// The build of this run, which later builds do not change.
const build = await realpath(join(root, 'dist'));
const { measureStores } = await import('./stores/measure.mjs');
await measureStores({ build, quick, say });
