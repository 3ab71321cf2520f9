// Joins the compiled modules of each program, and the packages they use, into a few files: Node takes most of a
// start to find, read and link 1,500 small ones. The modules stay beside them for whoever imports them one by one.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { bundleFolder, programs } from './programs.mjs';

/**
 * Not in the bundle: optional packages that nobody has installed, and what is needed rarely or as files.
 */
const external = [
  /^@nestjs\/(microservices|websockets|platform-express)/,
  /^@fastify\/(static|view|multipart)/,
  /^class-(validator|transformer)/,
  /^pg-native$/,
  /^js-tiktoken\//,
  // As UMD, it requires its own files by a parameter, which a bundler does not see.
  /^jsonc-parser$/,
  /^@eventstore\/db-client$/,
];

/**
 * Adds the bundle to a build under way. `modules` are the compiled modules, by their paths in the build, as
 * `{ code, map }`.
 */
export async function bundle(root, draft, modules, rolldown) {
  const entries = Object.entries(programs).filter(([, path]) => existsSync(join(draft, path)));
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
    input: Object.fromEntries(entries.map(([name, path]) => [name, join(draft, path)])),
    resolve: { alias: await importedLibraries(root, draft) },
    external,
    // This, as `minify`, drops calls that are made for their errors only, as `decodeURIComponent` in a check of text.
    treeshake: false,
    // Comments that name the draft would make builds of equal sources differ.
    experimental: { attachDebugInfo: 'none' },
    plugins: [compiledModules(draft, modules), requiredHttp()],
  });
  try {
    await build.write({
      dir: join(draft, bundleFolder),
      format: 'esm',
      minify: false,
      keepNames: true,
      sourcemap: true,
      sourcemapExcludeSources: true,
      chunkFileNames: '[name].js',
    });
  } finally {
    await build.close();
  }
}

/** Undefined if the bundler is not installed; programs then start more slowly, and there is no console. */
export async function loadBundler() {
  try {
    return (await import('rolldown')).rolldown;
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The `imports` of package.json name `dist`, which is another build still. */
async function importedLibraries(root, draft) {
  const { imports = {} } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries(imports).map(([name, target]) => [
      name,
      join(draft, (target.default ?? target).replace(/^\.\/dist\//, '')),
    ]),
  );
}

/** Loads the compiled modules from memory, with the maps that lead back to the sources. */
function compiledModules(draft, modules) {
  return {
    name: 'compiled-modules',
    load(id) {
      const path = relative(draft, id).replaceAll(sep, '/');
      const found = modules.get(path);
      return found && { ...found, code: inPlace(path, found.code) };
    },
  };
}

/** A module that asks where it is gets the answer it would get outside the bundle, from the same directory. */
function inPlace(path, code) {
  const target = JSON.stringify(`../${path}`);
  return code.replaceAll('import.meta.url', `new URL(${target}, import.meta.url).href`);
}

/**
 * Node's `http` by `require`: an `import` of it reads all its properties, of which some load undici, which takes 40 ms
 * and is not used here.
 */
function requiredHttp() {
  const id = '\0http';
  return {
    name: 'required-http',
    resolveId: {
      filter: { id: /^(node:)?http$/ },
      handler: (_id, _importer, { kind }) => (kind === 'import-statement' ? id : undefined),
    },
    load: {
      filter: { id: /^\0http$/ },
      handler: () => ({ code: `module.exports = process.getBuiltinModule('node:http');` }),
    },
  };
}
