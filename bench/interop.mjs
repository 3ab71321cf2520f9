// `npm run bench:interop [-- --quick]`: documents in and out a second, small reads beside large imports, and the memory that a
// gigabyte of an agent's log takes. Real documents are read from THROUGHLINE_DATA, default ../shared/data.
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
  say,
});
