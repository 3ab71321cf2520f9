// Bundles a TypeScript program of a copy of the sources and runs it: `node run-program.mjs <copy> <program> [argument ...]`.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { rolldown } from 'rolldown';

const [copy, program] = process.argv.splice(2, 2);
const packages = join(copy, 'packages');
const output = join(copy, 'program.mjs');

const build = await rolldown({
  cwd: copy,
  platform: 'node',
  input: join(copy, program),
  tsconfig: join(copy, 'tsconfig.json'),
  // Packages that npm has installed, except those that the bundler itself adds.
  external: (id) => /^[^.#/\\\0@]|^@(?!throughline\/|oxc-project\/)/.test(id),
  resolve: {
    conditionNames: ['source', 'node', 'import'],
    extensionAlias: { '.js': ['.ts', '.js'] },
    alias: {
      '@throughline/sdk': join(packages, 'sdk/src/index.ts'),
      '@throughline/mcp': join(packages, 'mcp/src/index.ts'),
    },
  },
});
await build.write({ file: output, format: 'esm', codeSplitting: false });
await build.close();
await import(pathToFileURL(output).href);
