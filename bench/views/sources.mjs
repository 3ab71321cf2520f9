import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

import { transformSync } from '@swc/core';

import { compilerOptions } from '../../apps/cli/bin/compiler-options.mjs';

/**
 * Lets this process import TypeScript sources: the loader of real contexts, which tests share. With `libraries` also
 * the libraries, without a build, so that the current sources are measured.
 */
export function importSources({ libraries = false } = {}) {
  registerHooks({
    resolve: (specifier, context, next) => {
      const conditions = libraries ? ['source', ...context.conditions] : context.conditions;
      const isOurs = context.parentURL?.endsWith('.ts') && specifier.startsWith('.');
      const name = isOurs ? specifier.replace(/\.js$/, '.ts') : specifier;
      return next(name, { ...context, conditions });
    },
    load: (url, context, next) => {
      if (!url.endsWith('.ts')) return next(url, context);
      const filename = fileURLToPath(url);
      const source = readFileSync(filename, 'utf8');
      const options = { ...compilerOptions, filename, sourceMaps: 'inline' };
      return { format: 'module', source: transformSync(source, options).code, shortCircuit: true };
    },
  });
}
