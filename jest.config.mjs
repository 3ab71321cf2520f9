import { compilerOptions } from './apps/cli/bin/compiler-options.mjs';

const base = {
  rootDir: import.meta.dirname,
  cacheDirectory: '<rootDir>/node_modules/.cache/throughline/jest',
  testEnvironment: '<rootDir>/test/environment.mjs',
  testRunner: '<rootDir>/test/measured-suites.mjs',
  setupFiles: ['<rootDir>/test/one-realm.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  // Source maps are separate files, so that V8 does not read them with the code for each suite.
  transform: {
    '^.+\\.ts$': ['<rootDir>/test/direct-imports.mjs', { ...compilerOptions, sourceMaps: true }],
  },
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'source'] },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Packages of this repository are imported as what they are published as, and need no build.
    '^@throughline/(sdk|mcp|langgraph)$': '<rootDir>/packages/$1/src/index.ts',
    // Their condition `source` names TypeScript, which is not compiled below node_modules.
    '^(eventsource|eventsource-parser)$': '<rootDir>/node_modules/$1/dist/index.js',
    '^eventsource-parser/stream$': '<rootDir>/node_modules/eventsource-parser/dist/stream.js',
    '^fast-check$': '<rootDir>/test/seeded-fast-check.mjs',
  },
  modulePathIgnorePatterns: [
    '<rootDir>/dist',
    '<rootDir>/bench/node_modules',
    '<rootDir>/packages/[^/]+/dist/',
  ],
};

/** One project per cost class; test/architecture proves that every spec belongs to exactly one. */
export default {
  // Starting a real server takes seconds on a busy machine; what hangs is still found.
  testTimeout: 120_000,
  testSequencer: '<rootDir>/test/longest-first.mjs',
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs,packages,migrations}/**/*.spec.ts'],
    },
    {
      ...base,
      displayName: 'integration',
      testMatch: ['<rootDir>/{apps,libs,packages,migrations,docs}/**/*.int-spec.ts'],
    },
    {
      ...base,
      displayName: 'architecture',
      testMatch: ['<rootDir>/test/architecture/**/*.arch-spec.ts'],
    },
    {
      ...base,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/e2e/shared-servers/global-setup.mjs',
      globalTeardown: '<rootDir>/test/e2e/shared-servers/global-teardown.mjs',
    },
    {
      ...base,
      displayName: 'reliability',
      testMatch: ['<rootDir>/test/reliability/**/*.reliability-spec.ts'],
    },
    {
      ...base,
      displayName: 'deployment',
      testMatch: ['<rootDir>/test/deployment/**/*.deployment-spec.ts'],
    },
    { ...base, displayName: 'data', testMatch: ['<rootDir>/test/data/**/*.data-spec.ts'] },
  ],
};
