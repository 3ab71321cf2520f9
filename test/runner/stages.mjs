import { linters } from './linters.mjs';

/** Suites with the same answers for any store of the server: with `npm run test:stores`. */
const httpSuites = [
  ...[
    'contexts',
    'moving',
    'replay',
    'views',
    'http',
    'stopping',
    'lineage',
    'authorization',
    'bad-input',
    'fuzz',
    'agents',
    'audiences',
    'families',
  ],
  ...['handovers', 'inbox', 'prompts', 'receipts', 'reviews', 'search', 'signals', 'tasks'],
];

/** Suites that always use a PostgreSQL that the server did not start. */
const operatedSuites = ['operations', 'projector', 'rebuild'];

/** A failure scenario for each kind of fault; `npm run test:reliability` runs all of them. */
const smokeSuites = [
  ...['api-killed', 'crash-points', 'duplicates', 'folded-reads', 'network-cut', 'out-of-order'],
  ...['poison', 'postgres-killed', 'projector-killed', 'runs-killed', 'runs-outage'],
];

/** Programs in Go that exit within seconds spend a fifth of their time on garbage collection. */
const fewCollections = { GOGC: '300' };

/**
 * In the order of their runs; the stages of one row run in parallel, or after the stage in `after`, and the next row
 * starts with their last suites. A program counts as one test; jest stages count their tests.
 */
export const rows = [
  [
    { ...programs('lint', ...linters), env: fewCollections },
    // Each additional checker checks shared files again, and the other processor is in use.
    {
      ...programs(
        'types',
        ...['tsconfig.json', 'apps/console/tsconfig.json'].map((config) => [
          'typescript-7/bin/tsc',
          ...['--noEmit', '-p', config, '--checkers', '1'],
        ]),
      ),
      env: fewCollections,
    },
    programs('imports', [
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'apps',
      'libs',
      'packages',
      'migrations',
    ]),
    // They only compute, so that they use the processor time that others leave.
    jest('architecture', 1),
    jest('unit', 2),
  ],
  [programs('build', ['../apps/cli/bin/throughline.mjs', 'build'], typescript('prepare-cluster'))],
  // These wait for processes and disks more than they compute; real records are read in the meantime.
  [jest('integration', 4), { ...jest('data', 1), isBackground: true }],
  [
    jest('e2e', 3),
    // Failure scenarios wait for restarted processes; other stages use the processor in the meantime.
    { ...jest('reliability', 2), suites: smokeSuites.map(reliabilitySuite) },
    // Many suites of e2e start servers on a separate PostgreSQL: a stage for it is in `npm run test:stores` only.
    { ...served('e2e-kurrentdb', ['contexts', 'moving'], 1), after: 'reliability' },
  ],
];

/**
 * Suites that run against any KurrentDB: the contract, the parts next to the adapter, and the checks of the stand-in.
 */
const adapterSuites = [
  'libs/event-store-kurrentdb/src/kurrent-event-store',
  'libs/testing/src/test-kurrentdb',
  ...[
    'audit/audit-kurrentdb',
    'backup/backup-kurrentdb',
    'copying/copy-log',
    'verify/verify-store',
  ].map((name) => `libs/operations/src/${name}`),
];

const reliabilitySuites = [
  ...['api-killed', 'balanced', 'duplicates', 'expected-versions', 'projector-killed'],
  ...['runs-killed', 'streams-cut'],
];

/** Too long for every run: run by name only. */
export const longRows = [
  [{ ...programs('stores-server', typescript('describe-event-store')), isShown: true }],
  [
    {
      ...{ name: 'stores-adapter', project: 'integration', workers: 2 },
      suites: adapterSuites.map((path) => `${path}.int-spec.ts`),
    },
  ],
  [served('stores-external', httpSuites, 3)],
  [served('stores-kurrentdb', [...httpSuites, ...operatedSuites], 3)],
  [
    {
      ...{ name: 'stores-reliability', project: 'reliability', workers: 2 },
      suites: reliabilitySuites.map(reliabilitySuite),
      env: { THROUGHLINE_RELIABILITY_STORES: 'kurrentdb' },
    },
  ],
  [{ ...jest('properties', 2), project: 'unit', env: { THROUGHLINE_PROPERTY_RUNS: '10' } }],
  [{ ...jest('data-whole', 2), project: 'data', env: { THROUGHLINE_DATA_SIZE: 'full' } }],
  [whole('integration', 4)],
  [whole('e2e', 3)],
  [jest('deployment', 1)],
];

/** Scripts with their arguments, by their paths from node_modules; they run in parallel. */
function programs(name, ...commands) {
  return { name, commands };
}

/** A program of libs/testing, which Node runs from its source. */
function typescript(name) {
  return [
    '--conditions=source',
    '--experimental-transform-types',
    '--disable-warning=ExperimentalWarning',
    '--import=./libs/testing/typescript.hooks.mjs',
    `libs/testing/programs/${name}.ts`,
  ];
}

/** All suites of a jest project. */
function jest(name, workers) {
  return { name, project: name, workers };
}

function reliabilitySuite(name) {
  return `test/reliability/${name}.reliability-spec.ts`;
}

/** All suites of a jest project, with the tests of many repetitions at their full size. */
function whole(project, workers) {
  const env = { THROUGHLINE_TEST_SIZE: 'full' };
  return { ...jest(`${project}-whole`, workers), project, env };
}

/** Suites of `e2e` that use servers with the store of the stage's name: see test/e2e/server-stores.ts. */
function served(name, names, workers) {
  const stores = name.slice(name.indexOf('-') + 1);
  const suites = names.map((suite) => `test/e2e/${suite}.e2e-spec.ts`);
  return { name, project: 'e2e', workers, suites, env: { THROUGHLINE_E2E_STORES: stores } };
}
