// `npm run bench [-- --quick]`: installs the compared products, builds, measures, reports.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { buildIfStale } from '../apps/cli/bin/build.mjs';
import { installPeers } from './peers.mjs';

const root = join(import.meta.dirname, '..');
const quick = process.argv.includes('--quick');
const say = (line) => process.stderr.write(`${line}\n`);

const peerFault = await installPeers(say);
await buildIfStale(root, { report: say }).catch((error) => {
  say(`bench: ${error.message}`);
  process.exit(1);
});
// The build of this run, which later builds do not change.
const build = await realpath(join(root, 'dist'));
const { measureAll } = await import('./measure.mjs');
await measureAll({ build, quick, peerFault, say });
