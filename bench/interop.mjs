// `npm run bench:interop [-- --quick | --log-mib=<number>]`: imported and exported documents per second, small reads
// during large imports, and the memory for an agent's log, of a gibibyte by default. Real documents are read from
// THROUGHLINE_DATA, default ../shared/data.
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { buildIfStale } from '../apps/cli/bin/build.mjs';
import { measureInterop } from './interop/measure.mjs';

const root = join(import.meta.dirname, '..');
const say = (line) => process.stderr.write(`${line}\n`);

await buildIfStale(root, { report: say }).catch((error) => {
  say(`bench: ${error.message}`);
  process.exit(1);
});
await measureInterop({
  build: await realpath(join(root, 'dist')),
  data: resolve(process.env.THROUGHLINE_DATA ?? join(root, '../shared/data')),
  isQuick: process.argv.includes('--quick'),
  logMib: Number(process.argv.find((word) => word.startsWith('--log-mib='))?.slice(10) ?? 1_024),
  say,
});
