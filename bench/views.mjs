// `npm run bench:views [-- --short]`: the recall of views of real contexts, their stability and cost. `node
// bench/views.mjs --quick` shows the recall for a sample, with the current sources, without a build.
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
  // The build of this run, which later builds do not change.
  const build = await realpath(join(root, 'dist'));
  importSources();
  const { measureViews } = await import('./views/measure.mjs');
  await measureViews({ build, short: process.argv.includes('--short'), peerFault, say });
}
