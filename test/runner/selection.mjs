import { basename } from 'node:path/posix';

import { readImportGraph, reach } from './import-graph.mjs';

/** Suites of servers that run whenever code of the servers has changed. */
const smoke = ['contexts', 'http', 'sdk-types', 'views'];

/** Libraries and folders with suites of other names in test/e2e; each also has the suites that begin with its name. */
export const suitesOfFolders = {
  access: ['authorization'],
  'agent-checks': ['agents'],
  agents: ['quality-gates'],
  authentication: ['authorization'],
  cli: ['launcher'],
  compose: ['view-promises', 'view-text'],
  consistency: ['consistency-check'],
  copying: ['copy-store'],
  derivations: ['transformations'],
  digests: ['view-promises'],
  'document-exchange': ['documents'],
  entries: ['view-text'],
  'event-exchange': ['moving'],
  'event-store-kurrentdb': ['streams-in-kurrentdb'],
  history: ['replay'],
  interop: ['moving'],
  jobs: ['rebuild', 'operations'],
  json: ['bad-input'],
  keys: ['authorization'],
  kurrentdb: ['streams-in-kurrentdb'],
  quality: ['quality-gates'],
  'receipt-replay': ['receipts'],
  segments: ['view-promises', 'view-text'],
  sources: ['view-promises', 'view-text'],
  summaries: ['summary-notes'],
  summarizers: ['summaries'],
  templates: ['prompts'],
  'token-counting': ['view-costs'],
  tokens: ['view-costs'],
  'view-tallies': ['view-costs'],
  visibility: ['audiences', 'undefined-audiences', 'unseen-items', 'view-audiences'],
  workflows: ['workflow-definitions'],
};

/** Each project of jest with its specs. */
const projects = {
  unit: /^(apps|libs|packages|migrations)\/.*\.spec\.ts$/,
  integration: /^(apps|libs|packages|migrations|docs)\/.*\.int-spec\.ts$/,
  architecture: /^test\/architecture\/.*\.arch-spec\.ts$/,
  e2e: /^test\/e2e\/.*\.e2e-spec\.ts$/,
  data: /^test\/data\/.*\.data-spec\.ts$/,
  reliability: /^test\/reliability\/.*\.reliability-spec\.ts$/,
  deployment: /^test\/deployment\/.*\.deployment-spec\.ts$/,
};

/** The maximum number of imports between an integration suite of another library and a changed file. */
const nearby = 2;

const isSpec = (path) => /[.-]spec\.ts$/.test(path);
const isServerCode = (path) => /^(apps|libs|packages)\/.*\.[cm]?[jt]s$/.test(path) && !isSpec(path);
const isMigration = (path) => /^migrations\/.*\.ts$/.test(path) && !isSpec(path);
/** Files that all suites depend on and none imports. */
const isForAll = (path) =>
  /^(package-lock\.json|jest\.config\.mjs|tsconfig\.base\.json|apps\/cli\/bin\/compiler-options\.mjs|test\/(compiled-once|direct-imports|environment|one-realm|measured-suites|seeded-fast-check)\.mjs)$/.test(
    path,
  );
const isHarness = (path) => /^test\/(e2e|deployment|data)\//.test(path);

/**
 * The suites that a change affects, by project, each with how many there are. `changed` holds paths from the root, `sources`
 * maps the paths of all sources to their texts. The rules:
 *
 * - A changed spec runs. So does a spec that names a changed file other than a source, such as a document.
 * - Unit suites run if their imports lead to a changed file. Imports of types and of library indexes are not followed.
 * - So do integration suites, if the file is in their library or two imports away.
 * - Suites of e2e and data start processes. They run if the changed file is part of their harness; those of e2e if they are
 *   named as the folder or the library of a changed source; the smoke set after any change of sources in apps and libs.
 * - The architecture suite that scans all sources always runs; each other one runs if its subject changed.
 * - Reliability suites run only if they changed themselves, as one takes up to minutes.
 * - Packages and what configures the tests affect all unit and integration suites and the smoke set; migrations affect all
 *   integration suites and the smoke set.
 */
export function selectSuites(changed, sources) {
  const graph = readImportGraph(sources);
  const change = describeChange(changed);
  return Object.entries(projects).map(([project, pattern]) => {
    const specs = [...sources.keys()].filter((path) => pattern.test(path));
    const isAffected = (spec) =>
      change.paths.has(spec) ||
      namesAny(change.documents, sources.get(spec)) ||
      rules[project](spec, change, graph);
    return { project, suites: specs.filter(isAffected), count: specs.length };
  });
}

function describeChange(changed) {
  const isForEverything = changed.some(isForAll);
  const hasMigration = changed.some(isMigration);
  return {
    paths: new Set(changed),
    folders: foldersOf(
      changed.filter((path) => isServerCode(path) || /^test\/kurrentdb/.test(path)),
    ),
    libraries: new Set(changed.map(libraryOf)),
    documents: changed.filter((path) => !path.endsWith('.ts') && !path.startsWith('test/')),
    harness: changed.filter(isHarness),
    ...{ isForEverything, hasMigration, hasSpec: changed.some(isSpec) },
    needsServers: isForEverything || hasMigration || changed.some(isServerCode),
  };
}

const rules = {
  unit: (spec, { paths, isForEverything, hasMigration }, graph) =>
    isForEverything ||
    (hasMigration && spec.startsWith('migrations/')) ||
    leadsTo(paths, reach(graph, spec)),
  integration: (spec, { paths, libraries, isForEverything, hasMigration }, graph) =>
    isForEverything ||
    hasMigration ||
    leadsTo(paths, reach(graph, spec, libraries.has(libraryOf(spec)) ? Infinity : nearby)),
  // The paths in these suites are examples, so that only changes in test/ count.
  architecture: (spec, { paths, hasSpec }, graph) =>
    spec.endsWith('/sources.arch-spec.ts') ||
    (hasSpec && spec.endsWith('/specs.arch-spec.ts')) ||
    leadsTo(inTests(paths), reach(graph, spec)),
  e2e: (spec, { harness, folders, needsServers }, graph) =>
    (needsServers && isNamed(spec, smoke)) ||
    isForFolder(spec, folders) ||
    leadsTo(harness, reach(graph, spec)),
  data: (spec, { harness }, graph) => leadsTo(harness, reach(graph, spec)),
  reliability: () => false,
  deployment: (spec, { harness }, graph) => leadsTo(harness, reach(graph, spec)),
};

function inTests(paths) {
  return [...paths].filter((path) => path.startsWith('test/'));
}

function leadsTo(paths, reached) {
  return [...paths].some((path) => reached.has(path));
}

function namesAny(paths, text) {
  return paths.some(
    (path) => text.includes(`/${basename(path)}'`) || text.includes(`'${basename(path)}'`),
  );
}

/** The library or application of a path; the stand-in for KurrentDB belongs to the adapter. */
function libraryOf(path) {
  if (path.startsWith('test/kurrentdb/')) return 'libs/event-store-kurrentdb';
  return path.split('/').slice(0, 2).join('/');
}

function foldersOf(paths) {
  return new Set(paths.flatMap((path) => path.split('/').slice(1, -1)));
}

function isForFolder(spec, folders) {
  return [...folders].some(
    (folder) =>
      isNamed(spec, [folder, ...(suitesOfFolders[folder] ?? [])]) ||
      basename(spec).startsWith(`${folder}-`),
  );
}

function isNamed(spec, names) {
  return names.includes(basename(spec, '.e2e-spec.ts'));
}
