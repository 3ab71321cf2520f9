// `npm run bench:views [-- --short]`: what views keep of real contexts, how stable they are, and what they cost.
// `node bench/views.mjs --quick` shows what they keep of a sample, of the sources as they stand, without a build.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { buildIfStale } from '../apps/cli/bin/build.mjs';
import { installPeers } from './peers.mjs';
import { importSources } from './views/sources.mjs';

const root = join(import.meta.dirname, '..');
const say = (line) => process.stderr.write(`${line}\n`);

if (process.argv.includes('--quick')) {
  importSources({ libraries: true });
  const { tune } = await import('./views/quick.mjs');
  await tune(process.argv);
} else {
  const peerFault = await installPeers(say);
  await buildIfStale(root, { report: say }).catch((error) => {
    say(`bench: ${error.message}`);
    process.exit(1);
  });
  // The build this run measures, whatever is built meanwhile.
  const build = await realpath(join(root, 'dist'));
  importSources();
  const { measureViews } = await import('./views/measure.mjs');
  await measureViews({ build, short: process.argv.includes('--short'), peerFault, say });
}
