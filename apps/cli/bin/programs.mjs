// Loads the programs of the current build.
import { existsSync, realpathSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { traceToSources } from './stack-traces.mjs';

/** The folder of the bundle in a build. */
export const bundleFolder = 'bundle';

/** The entry of each program; in the bundle it has the program's name. */
export const programs = {
  api: 'apps/api/src/run-api.js',
  worker: 'apps/api/src/workers/run-worker.js',
  projector: 'apps/projector/src/run-projector.js',
  cli: 'apps/cli/src/main.js',
  demo: 'apps/demo/src/main.js',
};

/** Returns a function that imports a program by its name. */
export function openPrograms(root) {
  // A later build changes the link, but this process must load all modules from one build.
  const build = realpathSync(join(root, 'dist'));
  // The cache is removed with its build. If it is not writable, Node works without it and reports nothing.
  if (!process.env.NODE_COMPILE_CACHE) enableCompileCache(join(build, '.compile-cache'));
  const bundled = join(build, bundleFolder);
  const isBundled = existsSync(bundled);
  if (isBundled) traceToSources(bundled);
  else process.setSourceMapsEnabled(true);
  return (name) => {
    const path = isBundled ? join(bundled, `${name}.js`) : join(build, programs[name]);
    return import(pathToFileURL(path).href);
  };
}
