import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { rows } from '../runner/stages.mjs';
import { listProjectFiles, root } from './project-files.js';

const promised = tableUnder('README.md', '## Guarantees');
const proven = new Map(
  tableUnder('docs/reliability.md', '## Which suite proves which guarantee').map(
    ([guarantee = '', suites = '']) => [
      guarantee,
      [...suites.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    ],
  ),
);

/** The jest project of each kind of spec, as in jest.config.mjs. */
const projectOf: Readonly<Record<string, string>> = {
  '': 'unit',
  'int-': 'integration',
  'e2e-': 'e2e',
  'reliability-': 'reliability',
  'data-': 'data',
};

describe('the guarantees of the README', () => {
  it('are those in the table of docs/reliability.md', () => {
    expect(promised.length).toBeGreaterThan(10);
    expect([...proven.keys()]).toEqual(promised.map(([guarantee]) => guarantee));
  });

  it.each([...proven])('%s: its suites are part of npm test', (_, suites) => {
    expect(suites).not.toEqual([]);
    expect(suites.filter((path) => !isRun(path))).toEqual([]);
  });
});

it.each([
  'test/deployment/image.deployment-spec.ts',
  'README.md',
  'libs/invariants/src/no-such-file.spec.ts',
  'test/reliability/balanced.reliability-spec.ts',
])('npm test does not run %s, so that no guarantee may cite it', (path) => {
  expect(isRun(path)).toBe(false);
});

/** The cells of the rows of a table. */
function tableUnder(file: string, heading: string): string[][] {
  const [, section = ''] = readFileSync(join(root, file), 'utf8').split(`${heading}\n`);
  return section
    .split(/\n## /, 1)
    .join()
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function isRun(path: string): boolean {
  const named = /\.(\w+-)?spec\.ts$/.exec(path);
  const project = named ? projectOf[named[1] ?? ''] : undefined;
  if (project === undefined || !listProjectFiles().includes(path)) return false;
  return rows
    .flat()
    .some(
      ({ project: of, suites }) =>
        of === project && (suites === undefined || suites.includes(path)),
    );
}
