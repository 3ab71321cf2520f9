// `npm test`: every stage, even after one failed; the output of what failed; one closing line that machines read.
//   npm test                         everything
//   npm test -- unit integration     some stages
//   npm test -- unit libs/database   a stage, and for jest only the paths that match
//   npm run test:stores              every suite over HTTP on every store, which is too long for every run
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const node = findNode();
const stageLimitMs = 12 * 60_000;
const slowestNamed = 5;

/** What asks most of the store behind a server, on each store there is. */
const storeSuites = ['contexts', 'http', 'moving', 'replay', 'stopping', 'timelines', 'views'];

/** Whatever store a server has, these get the same answers: with `npm run test:stores`. */
const httpSuites = [
  ...[...storeSuites, 'authorization', 'bad-input', 'fuzz', 'agents', 'audiences', 'families'],
  ...['handovers', 'inbox', 'prompts', 'receipts', 'reviews', 'search', 'signals', 'tasks'],
];

/** On a PostgreSQL that the server did not start in any case. */
const operatedSuites = ['operations', 'projector', 'rebuild'];

/**
 * In the order they run; where a row holds several, they run side by side. A program counts as one test; jest stages
 * count their tests.
 */
const rows = [
  [
    programs(
      'lint',
      ['eslint/bin/eslint.js', '.'],
      ['prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
    ),
    programs('types', ['typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json']),
    programs('imports', [
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'apps',
      'libs',
      'migrations',
    ]),
    // They compute only, and fill what the linter leaves of the machine.
    jest('architecture', 1),
    jest('unit', 2),
  ],
  programs('build', ['../apps/cli/bin/throughline.mjs', 'build'], typescript('prepare-cluster')),
  // These wait for processes and disks more than they compute.
  jest('integration', 3),
  jest('e2e', 3),
  // What is served over HTTP, again on other stores, and the folds of whole corpora, which wait for nothing.
  [
    // Many suites of e2e start servers on a PostgreSQL of their own anyway.
    served('e2e-external', ['contexts', 'http', 'timelines'], 1),
    served('e2e-kurrentdb', [...storeSuites, 'receipts', ...operatedSuites], 2),
    jest('data', 2),
  ],
  // Alone on the machine: these kill processes and wait for what follows.
  jest('reliability', 1),
].map((row) => [row].flat());

/** Too long for every run: by name only. */
const longRows = [
  [served('stores-external', httpSuites, 3)],
  [served('stores-kurrentdb', [...httpSuites, ...operatedSuites], 3)],
];
const stages = [...rows, ...longRows].flat();

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal));

const { chosen, patterns } = parseArguments(process.argv.slice(2));
const scratch = await mkdtemp(join(tmpdir(), 'throughline-test-'));
const results = [];
try {
  for (const row of chosen) results.push(...(await Promise.all(row.map(runStage))));
} finally {
  await rm(scratch, { recursive: true, force: true });
}
summarise(results);

function programs(name, ...commands) {
  return { name, run: () => runPrograms(commands) };
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

function jest(name, workers) {
  return { name, run: () => runJest({ project: name, workers }), takesPatterns: true };
}

/** Suites of `e2e` that ask a server, on servers with the store that the stage is named for: see test/e2e/server-stores.ts. */
function served(name, names, workers) {
  const stores = name.slice(name.indexOf('-') + 1);
  const suites = names.map((suite) => `test/e2e/${suite}.e2e-spec.ts`);
  const env = { THROUGHLINE_E2E_STORES: stores };
  const run = () => runJest({ project: 'e2e', workers, suites, env });
  return { name, run, takesPatterns: true };
}

async function runStage(stage) {
  const started = performance.now();
  print(`${stage.name} ...`);
  const result = await stage.run();
  const seconds = (performance.now() - started) / 1000;
  if (result.failed > 0) print(result.output.trimEnd());
  for (const title of result.skippedTitles) print(`  skipped: ${title}`);
  for (const title of result.absentTitles ?? []) print(`  ${title}`);
  print(`${stage.name}: ${counts(result)} (${seconds.toFixed(1)} s)`);
  if (result.slowest?.length > 0) print(`  slowest: ${result.slowest.join(', ')}`);
  print('');
  return { ...result, name: stage.name, seconds };
}

async function runPrograms(commands) {
  const done = await Promise.all(
    commands.map(([script, ...args]) =>
      execute(script.startsWith('-') ? [script, ...args] : [join('node_modules', script), ...args]),
    ),
  );
  const failed = done.filter(({ code }) => code !== 0);
  const output = failed.map((run) => run.output).join('\n');
  return {
    passed: failed.length ? 0 : 1,
    failed: failed.length ? 1 : 0,
    skippedTitles: [],
    output,
  };
}

async function runJest({ project, workers, suites = [], env = {} }) {
  const outputFile = join(scratch, `${project}${Object.values(env).join()}.json`);
  const args = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    `--selectProjects=${project}`,
    `--maxWorkers=${workers}`,
    '--passWithNoTests',
    '--json',
    `--outputFile=${outputFile}`,
    ...(patterns.length > 0 ? patterns : suites),
  ];
  const { code, output } = await execute(args, env);
  const report = existsSync(outputFile)
    ? JSON.parse(await readFile(outputFile, 'utf8'))
    : undefined;
  // A run that ended badly without a failed test is a failure of its own: it crashed, hung or never started.
  if (!report) return { passed: 0, failed: 1, skippedTitles: [], output };
  const brokenSuites = report.numRuntimeErrorTestSuites;
  const failed = report.numFailedTests + brokenSuites;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skippedTitles: skippedTitles(report),
    absentTitles: absentTitles(report),
    slowest: slowestSuites(report),
    output,
  };
}

function skippedTitles(report) {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => `${name.slice(root.length + 1)}: ${fullName}`),
  );
}

/** Suites say ABSENT in their title where the data they need is not there; nobody should have to look for it. */
function absentTitles(report) {
  const titles = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ ancestorTitles }) => ancestorTitles),
  );
  return [...new Set(titles.filter((title) => title.includes('ABSENT')))];
}

/** Where the time of a stage goes, which is where to look before it grows. */
function slowestSuites({ testResults }) {
  return testResults
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((left, right) => right.seconds - left.seconds)
    .slice(0, slowestNamed)
    .map(
      ({ name, seconds }) =>
        `${basename(name).replace(/[.-]\w*-?spec\.ts$/, '')} ${seconds.toFixed(1)} s`,
    );
}

/** Runs Node on a script; the JSON report jest prints on stdout is left out of the output. */
function execute(args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(node, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
        FORCE_COLOR: '0',
        // Hundreds of servers and commands load the same modules, and compiling them is a quarter of a start.
        NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'throughline', 'compiled'),
        ...env,
      },
    });
    running.add(child);
    const chunks = [];
    if (!args.includes('--json')) child.stdout.on('data', (chunk) => chunks.push(chunk));
    else child.stdout.resume();
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    const timer = setTimeout(() => {
      chunks.push(Buffer.from(`\nstopped: not done after ${stageLimitMs / 60_000} minutes\n`));
      kill(child, 'SIGKILL');
    }, stageLimitMs);
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output: Buffer.concat(chunks).toString() });
    });
  });
}

function stop(signal) {
  for (const child of running) kill(child, signal);
  process.exit(130);
}

/** The whole group: a stage leaves no database or server behind. */
function kill(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
}

function parseArguments(args) {
  const names = args.filter((arg) => stages.some(({ name }) => name === arg));
  const others = args.filter((arg) => !names.includes(arg));
  const byName = stages.filter(({ name }) => names.includes(name));
  const selected = names.length > 0 ? byName : rows.flat();
  if (others.length > 0 && !selected.every(({ takesPatterns }) => takesPatterns)) {
    print(
      `unknown: ${others.join(' ')}; the stages are ${stages.map(({ name }) => name).join(', ')}`,
    );
    process.exit(2);
  }
  const chosenRows = [...rows, ...longRows].map((row) =>
    row.filter((stage) => selected.includes(stage)),
  );
  return { chosen: chosenRows.filter((row) => row.length > 0), patterns: others };
}

function summarise(done) {
  const width = Math.max(...done.map(({ name }) => name.length));
  for (const result of done) {
    const seconds = result.seconds.toFixed(1).padStart(6);
    print(
      `${result.failed ? 'FAILED' : 'ok    '} ${result.name.padEnd(width)} ${seconds} s  ${counts(result)}`,
    );
  }
  const total = (pick) => done.reduce((sum, result) => sum + pick(result), 0);
  const sum = {
    passed: total(({ passed }) => passed),
    failed: total(({ failed }) => failed),
    skippedTitles: done.flatMap(({ skippedTitles: titles }) => titles),
  };
  if (sum.failed > 0) process.exitCode = 1;
  print(`\n${counts(sum)}`);
}

function counts({ passed, failed, skippedTitles: { length } }) {
  return `${passed} passed, ${failed} failed${length > 0 ? `, ${length} skipped` : ''}`;
}

/** The Node that `npm ci` installed, so that tests run on one version whatever the machine has. */
function findNode() {
  const installed = join(root, 'node_modules', '.bin', 'node');
  return process.platform !== 'win32' && existsSync(installed) ? installed : process.execPath;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
