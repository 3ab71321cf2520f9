import { describeCounts } from './stage-result.mjs';

/** In each list of suites. */
const listedCount = 10;

/** The report at the end of a run; machines read the last line. */
export function describeRun(results, notRun = []) {
  const failures = results.flatMap((result) => result.failures);
  const skippedTitles = results.flatMap((result) => result.skippedTitles);
  const absentTitles = results.flatMap((result) => result.absentTitles);
  return [
    ...section(
      'slowest suites:',
      largestSuites(results, ({ seconds }) => seconds),
    ),
    ...section(
      'suites with most processor time:',
      largestSuites(results, ({ processorSeconds }) => processorSeconds),
    ),
    ...section('skipped:', skippedTitles),
    ...section('absent:', absentTitles),
    ...section(
      'failed:',
      failures.flatMap(({ what, command }) => [what, `  repeat: ${command}`]),
    ),
    ...section('stages:', results.length > 0 ? stageTable(results) : []),
    ...(notRun.length === 0 ? [] : [`not run: ${notRun.join(', ')}; "npm test" runs everything`]),
    describeCounts({ ...total(results), skippedTitles }),
  ];
}

export function total(results) {
  const sum = (pick) => results.reduce((counted, result) => counted + pick(result), 0);
  return { passed: sum(({ passed }) => passed), failed: sum(({ failed }) => failed) };
}

function section(title, lines) {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function largestSuites(results, pick) {
  return results
    .flatMap(({ suites }) => suites)
    .filter((suite) => pick(suite) !== undefined)
    .sort((left, right) => pick(right) - pick(left))
    .slice(0, listedCount)
    .map((suite) => `${inSeconds(pick(suite))}  ${suite.stage.padEnd(13)}  ${suite.path}`);
}

/** Processor seconds of the processes that were waited for: see takeProcessorSeconds. */
function stageTable(results) {
  const width = Math.max(0, ...results.map(({ name }) => name.length));
  const heading = `${' '.repeat(6)} ${''.padEnd(width)}      wall  processor`;
  const lines = results.map((result) =>
    [
      result.failed > 0 ? 'FAILED' : 'ok    ',
      result.name.padEnd(width),
      ` ${inSeconds(result.seconds)}   ${result.processorSeconds === undefined ? '       -' : inSeconds(result.processorSeconds)} `,
      describeCounts(result),
    ].join(' '),
  );
  return [heading, ...lines];
}

function inSeconds(seconds) {
  return `${seconds.toFixed(1).padStart(6)} s`;
}
