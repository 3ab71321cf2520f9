// `npm run bench:workflows [-- --quick]`: the cost of durable runs, compared with DBOS and LangGraph.
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
const { measureWorkflows } = await import('./workflows/measure.mjs');
await measureWorkflows({ build, quick, peerFault, say });
