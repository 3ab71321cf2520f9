import { dirname, join } from 'node:path';

import { listProjectFiles, readProjectFile } from './project-files.js';

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm;
const reexport = /^export (?:type )?\{([^}]*)\} from '[^']+';/gm;
const statement =
  /^(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*|[^'"{}*;]+)[^'";]*?from\s+'([^']+)'/gm;
const wholeModule =
  /import\(\s*'([^']+)'\s*\)|import (?:type )?\* as \w+ from '([^']+)'|require\('([^']+)'\)/g;

const files = listProjectFiles().filter((path) => /\.(tsx?|mjs)$/.test(path));
const known = new Set(files);
const texts = new Map(files.map((path) => [path, readProjectFile(path)]));
/**
 * Files whose exports are used from outside of the sources: by other packages, test runners, migrations and programs of
 * the bench.
 */
const entries =
  /^packages\/[^/]+\/src\/(index|generated\/.*)\.ts$|^libs\/platform\/src\/index\.ts$|^migrations\/|^docs\/samples\/|^libs\/testing\/|^(test|bench)\/|spec\.ts$/;

describe('exports of the sources', () => {
  it('are all imported by another file', () => {
    const sources = new Map(
      [...texts].filter(([path]) => /^(apps|libs|packages)\/.*\.tsx?$/.test(path)),
    );
    expect(sources.size).toBeGreaterThan(1_000);
    expect(unusedExports(sources)).toEqual([]);
  });

  it('are reported if nothing imports them, also if they are exported again', () => {
    const planted = new Map([
      ['libs/slices/src/index.ts', `export { used, neverImported } from './one.js';\n`],
      [
        'libs/slices/src/one.ts',
        `export const used = 1;\nexport type neverImported = 2;\nexport class NeverConstructed {}\n`,
      ],
      ['apps/cli/src/two.ts', `import { used } from '#slices';\nuse(used);\n`],
    ]);
    expect(unusedExports(planted)).toEqual([
      'libs/slices/src/index.ts: neverImported',
      'libs/slices/src/one.ts: NeverConstructed',
    ]);
  });
});

/**
 * `<file>: <name>` for each export that no other file imports. Programs that read a build use all names in their text.
 */
function unusedExports(sources: ReadonlyMap<string, string>): string[] {
  const all = new Map([...texts].filter(([path]) => entries.test(path)));
  for (const [path, text] of sources) all.set(path, text);
  const used = new Set(
    [...all].flatMap(([path, text]) => [
      ...usesOf(path, text, sources),
      ...wholeUsesOf(path, text, sources),
    ]),
  );
  const readers = [...texts].filter(([path]) => path.endsWith('.mjs')).map(([, text]) => text);
  const mentioned = new Set(readers.flatMap((text) => text.match(/\w+/g) ?? []));
  return [...sources]
    .filter(([path]) => !entries.test(path))
    .flatMap(([path, text]) =>
      exportsOf(text)
        .filter((name) => !used.has(`${path}: ${name}`) && !mentioned.has(name))
        .map((name) => `${path}: ${name}`),
    );
}

function exportsOf(text: string): string[] {
  const declared = [...text.matchAll(declaration)].map(([, name = '']) => name);
  const again = [...text.matchAll(reexport)].flatMap(([, names = '']) =>
    namesIn(names).map(({ as }) => as),
  );
  return [...declared, ...again];
}

function usesOf(path: string, text: string, sources: ReadonlyMap<string, string>): string[] {
  return [...text.matchAll(statement)].flatMap(([, names = '', specifier = '']) => {
    const target = targetOf(path, specifier);
    if (target === undefined) return [];
    const imported =
      names === '*' ? exportsOf(sources.get(target) ?? '') : namesIn(names).map(({ name }) => name);
    return imported.map((name) => `${target}: ${name}`);
  });
}

/** Uses of modules that a file imports as a whole: all names in the text of its application or library. */
function wholeUsesOf(path: string, text: string, sources: ReadonlyMap<string, string>): string[] {
  const targets = [...text.matchAll(wholeModule)].flatMap(
    ([, ...specifiers]) => targetOf(path, specifiers.find((one) => one !== undefined) ?? '') ?? [],
  );
  if (targets.length === 0) return [];
  const place = path.split('/').slice(0, 2).join('/');
  const neighbours = [...texts].filter(([other]) => other.startsWith(`${place}/`));
  const mentioned = new Set(neighbours.flatMap(([, one]) => one.match(/\w+/g) ?? []));
  return targets.flatMap((target) =>
    exportsOf(sources.get(target) ?? '')
      .filter((name) => mentioned.has(name))
      .map((name) => `${target}: ${name}`),
  );
}

function namesIn(list: string): { name: string; as: string }[] {
  return list
    .replace(/[{}]/g, '')
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter((part) => part !== '')
    .map((part) => {
      const [name = part, as = name] = part.split(' as ');
      return { name, as };
    });
}

/** The project file of a specifier; undefined if there is none. */
function targetOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return `libs/${specifier.slice(1)}/src/index.ts`;
  const ofPackage = /^@throughline\/([a-z]+)$/.exec(specifier)?.[1];
  if (ofPackage !== undefined) return `packages/${ofPackage}/src/index.ts`;
  if (!specifier.startsWith('.')) return undefined;
  const target = join(dirname(path), specifier);
  const component = target.replace(/\.js$/, '.tsx');
  return [target, component].find((path) => known.has(path)) ?? target.replace(/\.js$/, '.ts');
}
