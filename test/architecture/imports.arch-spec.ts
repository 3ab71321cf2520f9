import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';

import { root } from './project-files.js';

const report = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

/** Each file violates one rule or none; a cycle is reported for its first file. */
const planted: readonly Readonly<{ file: string; code: string; breaks: string | null }>[] = [
  { file: 'libs/event-sourcing/src/index.ts', code: `export const kernel = 1;`, breaks: null },
  { file: 'libs/shared-context/src/index.ts', code: `export const domain = 1;`, breaks: null },
  { file: 'libs/database/src/index.ts', code: `export const database = 1;`, breaks: null },
  { file: 'libs/database/src/pool.ts', code: `export const pool = 1;`, breaks: null },
  { file: 'libs/testing/src/index.ts', code: `export const testing = 1;`, breaks: null },
  {
    file: 'apps/api/src/main.ts',
    code: `export { domain } from '#shared-context';`,
    breaks: null,
  },
  {
    file: 'libs/shared-context/src/allowed.ts',
    code: `import { kernel } from '#event-sourcing';\nimport { z } from 'zod';\nexport const both = [kernel, z];`,
    breaks: null,
  },
  {
    file: 'libs/database/src/allowed.spec.ts',
    code: `import { testing } from '#testing';\nexport const used = testing;`,
    breaks: null,
  },
  {
    file: 'libs/shared-context/src/package.ts',
    code: `import { sql } from 'kysely';\nexport const used = sql;`,
    breaks: 'shared-context-imports',
  },
  {
    file: 'libs/shared-context/src/built-in.ts',
    code: `import { randomUUID } from 'node:crypto';\nexport const id = randomUUID;`,
    breaks: 'shared-context-is-pure',
  },
  {
    file: 'libs/event-sourcing/src/upwards.ts',
    code: `import { domain } from '#shared-context';\nexport const used = domain;`,
    breaks: 'event-sourcing-imports',
  },
  {
    file: 'libs/read-models/src/deep.ts',
    code: `import { pool } from '../../database/src/pool.js';\nexport const used = pool;`,
    breaks: 'libraries-by-their-index',
  },
  {
    file: 'libs/read-models/src/for-tests.ts',
    code: `import { testing } from '#testing';\nexport const used = testing;`,
    breaks: 'testing-is-for-tests',
  },
  {
    file: 'libs/database/src/rows.fixture.ts',
    code: `import { testing } from '#testing';\nexport const rows = testing;`,
    breaks: null,
  },
  {
    file: 'libs/database/src/of-a-fixture.ts',
    code: `import { rows } from './rows.fixture.js';\nexport const used = rows;`,
    breaks: 'testing-is-for-tests',
  },
  {
    file: 'libs/read-models/src/development.ts',
    code: `import fc from 'fast-check';\nexport const used = fc;`,
    breaks: 'no-development-packages',
  },
  {
    file: 'libs/read-models/src/of-an-app.ts',
    code: `import { domain } from '../../../apps/api/src/main.js';\nexport const used = domain;`,
    breaks: 'no-library-imports-an-app',
  },
  {
    file: 'libs/read-models/src/caller.ts',
    code: `import { request } from 'node:https';\nexport const used = request;`,
    breaks: 'replay-calls-nobody',
  },
  {
    file: 'libs/application/src/history/shell.ts',
    code: `import { spawn } from 'node:child_process';\nexport const used = spawn;`,
    breaks: 'replay-calls-nobody',
  },
  {
    file: 'libs/application/src/writing/files.ts',
    code: `import { join } from 'node:path';\nexport const used = join;`,
    breaks: null,
  },
  {
    file: 'libs/application/src/audiences/audiences.ts',
    code: `export const audiences = 1;`,
    breaks: null,
  },
  {
    file: 'libs/application/src/settings/of-a-view.ts',
    code: `import { used } from '../views/snapshot-cache.js';\nexport const setting = used;`,
    breaks: 'libs/application/settings-imports',
  },
  {
    file: 'libs/application/src/newcomer/unlisted.ts',
    code: `import { join } from 'node:path';\nexport const used = join;`,
    breaks: 'known-folders',
  },
  {
    file: 'libs/application/src/views/own-door.ts',
    code: `import { audiences } from '../audiences/audiences.js';\nexport const used = audiences;`,
    breaks: 'views-ask-who-may-read',
  },
  {
    file: 'libs/application/src/views/snapshot-cache.ts',
    code: `import { audiences } from '../audiences/audiences.js';\nexport const used = audiences;`,
    breaks: null,
  },
  {
    file: 'libs/newcomer/src/index.ts',
    code: `import { kernel } from '#event-sourcing';\nexport const used = kernel;`,
    breaks: 'known-libraries',
  },
  {
    file: 'libs/database/src/circle-one.ts',
    code: `import { two } from './circle-two.js';\nexport const one = () => two;`,
    breaks: 'no-cycles',
  },
  {
    file: 'libs/database/src/circle-two.ts',
    code: `import { one } from './circle-one.js';\nexport const two = () => one;`,
    breaks: null,
  },
  {
    file: 'libs/database/src/nowhere.ts',
    code: `import { gone } from './gone.js';\nexport const used = gone;`,
    breaks: 'resolvable',
  },
  {
    file: 'apps/cli/src/main.ts',
    code: `import { domain } from '../../api/src/main.js';\nexport const used = domain;`,
    breaks: 'no-app-imports-an-app',
  },
  { file: 'packages/sdk/src/index.ts', code: `export { one } from './one.js';`, breaks: null },
  { file: 'packages/sdk/src/one.ts', code: `export const one = 1;`, breaks: null },
  {
    file: 'packages/sdk/src/built-in.ts',
    code: `import { join } from 'node:path';\nexport const used = join;`,
    breaks: 'package-sdk-runs-everywhere',
  },
  {
    file: 'packages/sdk/src/of-the-server.ts',
    code: `import { kernel } from '#event-sourcing';\nexport const used = kernel;`,
    breaks: 'package-sdk-imports',
  },
  {
    file: 'packages/mcp/src/allowed.ts',
    code: `import { one } from '@throughline/sdk';\nexport const used = one;`,
    breaks: null,
  },
  {
    file: 'packages/mcp/src/deep.ts',
    code: `import { one } from '../../sdk/src/one.js';\nexport const used = one;`,
    breaks: 'package-sdk-by-its-name',
  },
  {
    file: 'migrations/20260101T0000_first.ts',
    code: `import { database } from '#database';\nexport const used = database;`,
    breaks: 'migrations-are-frozen',
  },
];

describe('the import rules', () => {
  let directory: string;
  let broken: Map<string, string[]>;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'throughline-imports-'));
    for (const file of [
      'package.json',
      'tsconfig.json',
      'tsconfig.base.json',
      '.dependency-cruiser.cjs',
      '.dependency-cruiser.folders.cjs',
    ])
      cpSync(join(root, file), join(directory, file));
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
    for (const { file, code } of planted) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), `${code}\n`);
    }
    broken = violationsIn(directory);
  });

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(planted.filter(({ breaks }) => breaks !== null))(
    'refuse $file because of $breaks',
    (plant) => {
      expect(broken.get(plant.file)).toContain(plant.breaks);
    },
  );

  it.each(planted.filter(({ breaks }) => breaks === null))('permit $file', ({ file }) => {
    expect(broken.get(file)).toBeUndefined();
  });
});

const folders = z
  .record(z.string(), z.record(z.string(), z.array(z.string())))
  .parse(createRequire(import.meta.url)(join(root, '.dependency-cruiser.folders.cjs')));

describe('the rows of folders', () => {
  it.each(Object.entries(folders))('of %s form no cycle', (_place, rows) => {
    expect(findCycle(rows)).toBeUndefined();
  });

  it('are refused if they form a cycle', () => {
    expect(findCycle({ a: ['b'], b: ['c'], c: ['b'] })).toEqual(['b', 'c', 'b']);
  });
});

/** A path from a folder back to itself; undefined if the rows form no cycle. */
function findCycle(rows: Readonly<Record<string, readonly string[]>>): string[] | undefined {
  const finished = new Set<string>();
  const visit = (folder: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (finished.has(folder)) return undefined;
    for (const next of rows[folder] ?? []) {
      const cycle = visit(next, [...path, folder]);
      if (cycle) return cycle;
    }
    finished.add(folder);
    return undefined;
  };
  for (const folder of Object.keys(rows)) {
    const cycle = visit(folder, []);
    if (cycle) return cycle;
  }
  return undefined;
}

function violationsIn(cwd: string): Map<string, string[]> {
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'json',
      'apps',
      'libs',
      'packages',
      'migrations',
    ],
    { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const found = new Map<string, string[]>();
  for (const { from, rule } of report.parse(JSON.parse(stdout)).summary.violations)
    found.set(from, [...(found.get(from) ?? []), rule.name]);
  return found;
}
