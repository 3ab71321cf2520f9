// Joins the compiled modules of each program and their packages into a few files: Node spends most of its startup on
// finding, reading and linking 1,500 small ones. The separate modules stay in the build for direct imports.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { bundleFolder, programs } from './programs.mjs';

/**
 * Excluded from the bundle: optional packages that are not installed, rarely used packages, and packages that need their
 * own files.
 */
const external = [
  /^@nestjs\/(microservices|websockets|platform-express)/,
  /^@fastify\/(static|view|multipart)/,
  /^class-(validator|transformer)/,
  /^pg-native$/,
  /^js-tiktoken\//,
  // Its UMD build requires its files through a parameter, which bundlers cannot resolve.
  /^jsonc-parser$/,
  /^@eventstore\/db-client$/,
];

/**
 * Adds the bundle to an unfinished build. `modules` maps paths in the build to `{ code, map }`.
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
    // Tree shaking and `minify` drop calls whose only effect is an error, such as `decodeURIComponent` in a validation.
    treeshake: false,
    // Comments with the path of the draft would make builds of the same sources differ.
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

/** Resolves the `imports` of package.json into the draft: their `dist` is still the previous build. */
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
      return found && { ...found, code: withOriginalUrl(path, found.code) };
    },
  };
}

/** Replaces `import.meta.url`, so that a module gets the same URL as outside the bundle. */
function withOriginalUrl(path, code) {
  const target = JSON.stringify(`../${path}`);
  return code.replaceAll('import.meta.url', `new URL(${target}, import.meta.url).href`);
}

/**
 * Loads Node's `http` by `require`. An `import` reads all its properties, and some of them load undici, which takes 40 ms
 * and is not used.
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
