import { dirname, join } from 'node:path/posix';

const statement =
  /^(?:import|export)\s+(type\s+)?((?:[\w$]+\s*,\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)|[\w$]+)\s+from\s+'([^']+)'/gm;
const wholeModule = /(?:^import\s+|\bimport\()'([^']+)'/gm;
const named = /'((?:\.{0,2}\/)?[\w.@-]+(?:\/[\w.@-]+)+)'/g;
const program = /startProgram\('([^']+)'/g;

/**
 * The runtime dependencies of each source: a map from paths to the paths that they import, start or read by a literal
 * name. Type imports are excluded, since they do not exist at runtime. An import from a library leads to the files that
 * define the imported names, not to its index, which would relate all files to one another. `sources` maps paths from
 * the root to texts.
 */
export function readImportGraph(sources) {
  const graph = { sources, barrels: new Map() };
  return new Map([...sources].map(([path, text]) => [path, edgesOf(path, text, graph)]));
}

/** The paths that a path reaches within a number of imports, including itself. */
export function reach(graph, path, steps = Infinity) {
  const reached = new Set([path]);
  let latest = [path];
  for (let step = 0; step < steps && latest.length > 0; step += 1) {
    latest = latest.flatMap((at) => [...(graph.get(at) ?? [])]).filter((at) => !reached.has(at));
    latest.forEach((at) => reached.add(at));
  }
  return reached;
}

function edgesOf(path, text, graph) {
  const edges = new Set();
  const add = (target, names) => filesOf(target, names, graph).forEach((file) => edges.add(file));
  for (const { names, specifier } of importsOf(text)) add(resolve(path, specifier, graph), names);
  for (const [, specifier] of text.matchAll(wholeModule)) add(resolve(path, specifier, graph));
  for (const [, name] of text.matchAll(named)) add(resolve(path, name, graph));
  for (const [, name] of text.matchAll(program))
    add(resolve('', join('libs/testing/programs', `${name}.ts`), graph));
  edges.delete(path);
  return edges;
}

/**
 * Imports and re-exports of values; `names` is undefined for all names, and otherwise has pairs of outer and inner
 * names.
 */
function importsOf(text) {
  return [...text.matchAll(statement)].flatMap(([, isType, clause, specifier]) => {
    if (isType) return [];
    const braces = /\{([^}]*)\}/.exec(clause);
    if (!braces) return [{ specifier }];
    const names = braces[1]
      .replace(/\/\/.*$/gm, '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(/\s+as\s+/));
    return names.length > 0 ? [{ specifier, names }] : [];
  });
}

/** A name that the library's index does not list leads to all its exports. */
function filesOf(target, names, graph) {
  if (target === undefined) return [];
  if (!/^(libs|packages)\/[^/]+\/src\/index\.ts$/.test(target)) return [target];
  const barrel = barrelOf(target, graph);
  const files = (names ?? []).map(([name]) => barrel.get(name));
  return names === undefined || files.includes(undefined) ? [...new Set(barrel.values())] : files;
}

function barrelOf(path, graph) {
  const known = graph.barrels.get(path);
  if (known) return known;
  const barrel = new Map();
  graph.barrels.set(path, barrel);
  for (const { specifier, names } of importsOf(graph.sources.get(path))) {
    const target = resolve(path, specifier, graph);
    if (names === undefined) barrel.set(`* ${specifier}`, target);
    for (const [inner, outer = inner] of names ?? []) barrel.set(outer, target);
  }
  return barrel;
}

/** A path of the sources, or undefined for a package, a part of Node, or a word with a slash. */
function resolve(from, specifier, { sources }) {
  const path = specifier
    .replace(/^#([\w-]+)$/, 'libs/$1/src/index.ts')
    .replace(/^@throughline\/(\w+)$/, 'packages/$1/src/index.ts');
  const candidates = path.startsWith('.') ? [join(dirname(from), path)] : [path];
  return candidates
    .flatMap((candidate) => [candidate, candidate.replace(/\.js$/, '.ts')])
    .find((candidate) => sources.has(candidate));
}
