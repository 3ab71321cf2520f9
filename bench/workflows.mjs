// `npm run bench:workflows [-- --quick]`: what durable runs cost, beside DBOS and LangGraph.
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
// The build this run measures, whatever is built meanwhile.
const build = await realpath(join(root, 'dist'));
const { measureWorkflows } = await import('./workflows/measure.mjs');
await measureWorkflows({ build, quick, peerFault, say });
