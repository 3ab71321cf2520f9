// `npm run test:security`: the suites of docs/security.md, which repeat each attack that once succeeded.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { readSecurityTable } from './runner/security-table.mjs';

const suites = new Set(readSecurityTable().map(({ suite }) => suite));
const run = join(import.meta.dirname, 'run.mjs');
const stages = ['unit', 'integration', 'e2e'];
const { status } = spawnSync(process.execPath, [run, ...stages, ...suites], { stdio: 'inherit' });
process.exitCode = status ?? 1;
