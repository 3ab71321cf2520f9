import { join } from 'node:path';

import { isStopping, root, runNode } from './child-processes.mjs';
import { printLines } from './print.mjs';
import { StageResult, describeCounts } from './stage-result.mjs';

const progressMs = 15_000;

/**
 * All servers and commands of a run use one build, without comparing it with the sources each time: that of the stage
 * `build`.
 */
const sameBuild = { THROUGHLINE_REBUILD: 'never' };

/**
 * Starts the stages of a row; one with `after` waits until the stage of that name is draining, if that stage runs. The
 * next row does not wait for stages in the background.
 */
export function startRow(row, request) {
  const started = new Map();
  for (const stage of row) {
    const before = started.get(stage.after);
    const start = () => startStage(stage, request);
    started.set(stage.name, before ? startBehind(before, start) : start());
  }
  return [...started.values()];
}

function startBehind({ draining }, start) {
  const begun = draining.then(start);
  return {
    ended: begun.then(({ ended }) => ended),
    draining: begun.then((stage) => stage.draining),
  };
}

/**
 * Starts a stage. `ended` resolves with its result; `draining` resolves as soon as the last of its suites has started,
 * when other stages may use the processors that become idle.
 */
function startStage(stage, request) {
  const { promise: draining, resolve: drain } = Promise.withResolvers();
  const ended = runStage(stage, request, drain);
  return { ended, draining: stage.isBackground ? undefined : Promise.race([draining, ended]) };
}

/** Runs the programs or the suites of a stage; prints its progress, and failures as they happen. */
async function runStage(stage, request, drain) {
  const result = new StageResult(stage, request);
  if (isStopping()) {
    printLines(result.fail(stage.name, 'never started'));
    return result.end();
  }
  printLines([`${stage.name} ...`]);
  const timer = setInterval(() => printLines([describeProgress(result)]), progressMs);
  await (stage.commands
    ? runPrograms(stage, result)
    : runSuites(stage, { request, result, drain }));
  clearInterval(timer);
  result.end();
  printLines([`${stage.name}: ${describeCounts(result)} (${result.seconds.toFixed(1)} s)`]);
  return result;
}

/** A path or title without a match must not look like success. */
export function failIfNothingRan(request, results) {
  const isNarrowed = request.patterns.length > 0 || request.title !== undefined;
  if (!isNarrowed || results.some(({ passed, failed }) => passed + failed > 0)) return;
  printLines(results[0].fail('no test matches', ''));
}

async function runPrograms({ name, commands, isShown, env }, result) {
  const codes = await Promise.all(
    commands.map(async ([script, ...args]) => {
      const isScript = !script.startsWith('-');
      const path = isScript ? join('node_modules', script) : script;
      const run = await runNode([path, ...args], { env });
      if (run.processorSeconds !== undefined)
        result.processorSeconds = (result.processorSeconds ?? 0) + run.processorSeconds;
      const hasFailed = run.code !== 0 || run.problem !== undefined;
      // The stage counts once, regardless of the number of failed programs.
      if (hasFailed) printLines([`${script} failed`, run.output.trimEnd(), run.problem ?? '']);
      else if (isShown) printLines([run.output.trimEnd()]);
      return hasFailed;
    }),
  );
  if (codes.includes(true)) printLines(result.fail(name, ''));
  else result.passed = 1;
}

async function runSuites(stage, { request, result, drain }) {
  const { code, output, problem, processorSeconds } = await runNode(jestArguments(stage, request), {
    env: { ...stage.env, ...sameBuild, THROUGHLINE_TEST_SEED: String(request.seed) },
    isBackground: stage.isBackground,
    onEvent: (event) => {
      printLines(result.take(event));
      if (result.isDraining) drain();
    },
  });
  result.processorSeconds = processorSeconds;
  // A run that ended badly without a failed test is a failure: it crashed, hung or never started.
  const hasCrashed = problem !== undefined || !result.hasEnded || (code !== 0 && !result.failed);
  if (!hasCrashed) return failIfSuitesAreMissing(stage, request, result);
  const running = result.running.map((path) => `still running: ${path}`);
  const reason = problem ?? `jest ended with code ${code}`;
  const text = [output.trimEnd(), ...running].join('\n');
  printLines(result.fail(`${stage.name} (${reason})`, text, result.running));
}

/** A renamed suite that is missing in the table of stages must be reported. */
function failIfSuitesAreMissing({ name, suites }, { patterns, title }, result) {
  if (patterns.length > 0 || title !== undefined) return;
  const found = result.suiteCount ?? 0;
  const expected = suites?.length ?? Math.max(found, 1);
  if (found === expected) return;
  printLines(result.fail(`${name}: ${found} of ${expected} suites exist`, ''));
}

function jestArguments({ project, workers, suites = [] }, { patterns, title }) {
  return [
    // Suites create short-lived modules and data: with small nurseries, collecting them takes a twentieth more time.
    '--min-semi-space-size=16',
    '--max-semi-space-size=64',
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    `--selectProjects=${project}`,
    `--maxWorkers=${workers}`,
    `--reporters=${join(root, 'test/runner/suite-reporter.mjs')}`,
    '--passWithNoTests',
    ...(title === undefined ? [] : [`--testNamePattern=${title}`]),
    ...(patterns.length > 0 ? patterns : suites),
  ];
}

function describeProgress(result) {
  const { name, suites, suiteCount, passed, failed, seconds, running } = result;
  const time = `${Math.round(seconds)} s`;
  if (suiteCount === undefined) return `${name}: running, ${time}`;
  const counted = `${suites.length} of ${suiteCount} suites`;
  // If no more suites will start, the line names the suites that the stage waits for.
  const isLast = result.isDraining && running.length > 0;
  const last = isLast ? `, waiting for ${running.join(', ')}` : '';
  return `${name}: ${counted}, ${passed} tests passed, ${failed} failed, ${time}${last}`;
}
