// `npm test`: all stages, even after one failed; prints failures as they happen, and a closing line for machines.
//   npm test                                     everything
//   npm test -- unit integration                 some stages
//   npm test -- unit libs/database               a stage, limited for jest to the matching paths
//   npm test -- e2e test/e2e/views -t 'budget'   and of these the tests with matching titles
//   npm test -- --seed 7                         the choices of an earlier run
//   npm test -- --changed                        stages affected by the working tree or, if it is clean, the last commit
//   npm test -- --changed main                   stages affected by the changes since a commit
//   npm run test:stores                          suites that depend on the store, on every store: too long for every run;
//                                                KurrentDB is the server in EVENTSTORE_URL, or the stand-in
import { parseArguments } from './runner/arguments.mjs';
import { buildUnlessStaged } from './runner/build-unless-staged.mjs';
import { selectRows } from './runner/changed-rows.mjs';
import { listChanges, readSources } from './runner/changes.mjs';
import { isStopping, stopAll } from './runner/child-processes.mjs';
import { printLines } from './runner/print.mjs';
import { failIfNothingRan, startRow } from './runner/run-stage.mjs';
import { describeRun, total } from './runner/summary.mjs';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopAll(signal));

const request = parse(process.argv.slice(2));
printLines([`seed: ${request.seed} (repeat with --seed ${request.seed})`]);
const { rows, notRun } = request.isChanged ? selectChanged() : { rows: request.rows };
await buildUnlessStaged(rows);
const started = [];
for (const row of rows) {
  const stages = startRow(row, request);
  started.push(...stages);
  // The last suites of a row leave processors idle, which the next row uses.
  await Promise.all(stages.map(({ draining }) => draining));
}
const results = await Promise.all(started.map(({ ended }) => ended));
failIfNothingRan(request, results);
printLines(describeRun(results, notRun));
if (total(results).failed > 0) process.exitCode = 1;
if (isStopping()) process.exitCode = 130;

function selectChanged() {
  const { since, changed } = listChanges(request.ref);
  printLines([`changed since ${since}: ${changed.length} files`]);
  return selectRows(request.rows, changed, readSources());
}

function parse(args) {
  try {
    return parseArguments(args);
  } catch (error) {
    printLines([error.message]);
    process.exit(2);
  }
}
