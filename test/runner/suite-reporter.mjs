import { writeSync } from 'node:fs';

/** The channel on which the runner listens: see runNode. */
const events = 3;

/** Reports to the runner, as lines of JSON, which suites and tests jest starts and finishes. */
export default class SuiteReporter {
  onRunStart({ numTotalTestSuites }) {
    send({ kind: 'run-started', suites: numTotalTestSuites });
  }

  onTestFileStart({ path }) {
    send({ kind: 'suite-started', path });
  }

  onTestFileResult({ path }, result) {
    const tests = result.testResults.map(({ fullName, ancestorTitles, status }) => ({
      title: fullName,
      groups: ancestorTitles,
      status,
    }));
    send({
      kind: 'suite-ended',
      path,
      tests,
      seconds: (result.perfStats.end - result.perfStats.start) / 1000,
      processorSeconds: result.processorSeconds,
      failureText: result.failureMessage ?? '',
      isBroken: result.testExecError !== undefined && result.testExecError !== null,
      logged: result.numFailingTests > 0 ? (result.console ?? []).map(describeLogged) : [],
    });
  }

  onRunComplete() {
    send({ kind: 'run-ended' });
  }
}

function describeLogged({ type, message }) {
  return `console.${type}: ${message}`;
}

/** Writes all bytes, also if the pipe accepts only a part at once. */
function send(event) {
  let rest = Buffer.from(`${JSON.stringify(event)}\n`);
  while (rest.length > 0) rest = rest.subarray(writeSync(events, rest));
}
