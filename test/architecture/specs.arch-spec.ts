import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';

import { listProjectFiles, root } from './project-files.js';

const projects = [
  'unit',
  'integration',
  'architecture',
  'e2e',
  'reliability',
  'data',
  'deployment',
];

describe('specs', () => {
  it('belong to exactly one jest project each', () => {
    const owners = new Map<string, string[]>(
      listProjectFiles()
        .filter((path) => /[.-]spec\.[cm]?[jt]sx?$/.test(path))
        .map((path) => [path, []]),
    );
    for (const project of projects)
      for (const path of testsOf(project)) owners.get(path)?.push(project);
    const astray = [...owners].filter(([, names]) => names.length !== 1);
    expect(owners.size).toBeGreaterThan(0);
    expect(astray).toEqual([]);
  });
});

function testsOf(project: string): string[] {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const listed = execFileSync(
    process.execPath,
    [jest, '--listTests', '--json', `--selectProjects=${project}`],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const paths: unknown = JSON.parse(listed);
  if (!Array.isArray(paths)) throw new Error(`jest does not list the tests of "${project}"`);
  return paths.map((path) => relative(root, String(path)));
}
