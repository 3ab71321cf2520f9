import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { listSources } from '../../apps/cli/bin/sources.mjs';
import { listProjectFiles, readProjectFile, root } from './project-files.js';

const impure =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\b(crypto|process|performance|globalThis|fetch|setTimeout|setInterval)\b[.(]|\bBuffer\b(?!\.byteLength\()/;
/** dependency-cruiser checks imports; these need none. */
const callingOut = /\b(fetch|WebSocket|EventSource|XMLHttpRequest)\s*\(/;
const ofOneMachine = /(^|[\s"'`(=:])\/(work|home|root|Users)\//;
const relativeImport = /\b(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g;
const unexplainedDisable = /((es|ox)lint-disable|@ts-(ignore|expect-error))(?!.*--)(?!.*: \w)/;

const files = listProjectFiles().filter((path) => !/package-lock\.json$/.test(path));
const sources = files.filter((path) => /\.tsx?$/.test(path));

describe('the sources', () => {
  it('of pure libraries use no clock, no randomness and no process state', () => {
    const pure = sources.filter(
      (path) =>
        /^libs\/(event-sourcing|shared-context|audit|workflow)\//.test(path) &&
        !path.endsWith('spec.ts'),
    );
    expect(pure.length).toBeGreaterThan(0);
    expect(pure.flatMap((path) => linesMatching(path, impure))).toEqual([]);
  });

  it('of reading, projecting and replaying call no other process', () => {
    const replaying = sources.filter(
      (path) =>
        /^libs\/((event-sourcing|shared-context|read-models|visibility)|application\/src\/(contexts|history|reading|receipt-replay))\//.test(
          path,
        ) && !path.endsWith('spec.ts'),
    );
    expect(replaying.length).toBeGreaterThan(0);
    expect(replaying.flatMap((path) => linesMatching(path, callingOut))).toEqual([]);
  });

  it('of views read the visible content of an audience in two files only', () => {
    const views = sources.filter(
      (path) => path.startsWith('libs/application/src/views/') && !path.endsWith('spec.ts'),
    );
    const readers = views.filter((path) => linesMatching(path, /\bFilteredReader\b/).length > 0);
    expect(readers.map((path) => basename(path))).toEqual([
      'previous-version.ts',
      'snapshot-cache.ts',
    ]);
  });

  it('contain no path of one machine', () => {
    const text = files.filter((path) =>
      /\.(tsx?|css|html|mjs|cjs|json|md|yml|sh)$|Dockerfile|\.ci/.test(path),
    );
    expect(text.flatMap((path) => linesMatching(path, ofOneMachine))).toEqual([]);
  });

  it('give a reason for each disabled rule of a tool', () => {
    const others = sources.filter((path) => !path.startsWith('test/architecture/'));
    expect(
      others.flatMap((path) => linesMatching(path, unexplainedDisable, 'with comments')),
    ).toEqual([]);
  });
});

describe('the build', () => {
  it('compiles no file that only tests import', () => {
    const isOfTests = (path: string) =>
      /spec\.ts$|\.fixture\.ts$|^libs\/testing\/|^test\//.test(path);
    const importers = new Map<string, string[]>();
    for (const path of sources)
      for (const [, specifier = ''] of readProjectFile(path).matchAll(relativeImport)) {
        const target = join(dirname(path), specifier).replace(/\.js$/, '.ts');
        importers.set(target, [...(importers.get(target) ?? []), path]);
      }
    // Other files enter these without a relative import.
    const built = listSources(root).filter((path) => !/\/(index|main)\.ts$/.test(path));
    expect(built.length).toBeGreaterThan(0);
    expect(built.filter((path) => importers.get(path)?.every(isOfTests))).toEqual([]);
  });
});

describe('the documents', () => {
  it('link to existing files only', () => {
    const dead = files
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) => relativeLinks(path).map((link) => ({ path, link })))
      .filter(({ path, link }) => !existsSync(join(root, dirname(path), link)));
    expect(dead).toEqual([]);
  });
});

describe('CONTRIBUTING.md', () => {
  it('names only paths that exist, and maps every library, application and package', () => {
    const rooms = [
      ...new Set(sources.map((path) => /^(libs|apps|packages)\/[^/]+/.exec(path)?.[0])),
    ];
    const page = readProjectFile('CONTRIBUTING.md');
    const map = /## Map of the code\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
    expect(pathsIn(page).length).toBeGreaterThan(80);
    expect(pathsIn(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(rooms.filter((room) => room !== undefined && !pathsIn(map).includes(room))).toEqual([]);
  });
});

function pathsIn(text: string): string[] {
  const quoted = /`((?:apps|libs|packages|migrations|test|docs|bench)(?:\/[\w.-]+)*)`/g;
  return [...text.matchAll(quoted)].map(([, path]) => path ?? '');
}

function linesMatching(path: string, pattern: RegExp, comments?: 'with comments'): string[] {
  const text = readProjectFile(path);
  const code = comments ? text : text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, blank);
  return code
    .split('\n')
    .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : []));
}

function relativeLinks(path: string): string[] {
  const links = [...readProjectFile(path).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, link]) => link ?? '',
  );
  return links
    .filter((link) => !/^(https?:|#|mailto:)/.test(link))
    .map((link) => link.replace(/#.*$/, ''));
}

/** Preserves line numbers. */
function blank(comment: string): string {
  return comment.replace(/[^\n]/g, '');
}
