import { createRequire } from 'node:module';
import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

const root = join(import.meta.dirname, '../../..');
const { resolve } = createRequire(import.meta.url);

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: [
      { find: '@throughline/sdk', replacement: join(root, 'packages/sdk/src/index.ts') },
      {
        find: '@throughline/langgraph',
        replacement: join(root, 'packages/langgraph/src/index.ts'),
      },
      // The adapter is outside of the folder in which the framework is installed.
      ...['langgraph', 'langgraph-checkpoint'].map((name) => ({
        find: new RegExp(`^@langchain/${name}$`),
        replacement: resolve(`@langchain/${name}`).replace(/\.cjs$/, '.js'),
      })),
    ],
  },
  test: {
    // The published suite uses `describe`, `it` and `expect` as globals.
    globals: true,
    include: ['*.test.ts'],
    globalSetup: ['./shared-server.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
