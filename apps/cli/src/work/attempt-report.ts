import { withMember } from '../json-input.js';
import { type EndCause } from './ending.js';
import { mostOutputBytes, type ProgramEnd } from './run-program.js';

/** The report of an attempt to the server. */
export type AttemptReport = Readonly<
  { type: 'complete'; output: JsonText } | ({ type: 'fail' } & Failure)
>;

type JsonText = string;

type Failure = Readonly<{
  reason: string;
  code: string;
  retryable: boolean;
  output?: JsonText | undefined;
}>;

/** EX_USAGE and EX_CONFIG of sysexits.h: the same program would fail in the same way again. */
const finalExitCodes: ReadonlySet<number> = new Set([64, 78]);

const endings: Readonly<Record<EndCause, Omit<Failure, 'code' | 'output'>>> = {
  timeout: { reason: 'the program did not end before its deadline', retryable: true },
  cancelled: { reason: 'the run is being cancelled', retryable: false },
  stopped: { reason: 'the worker was stopped', retryable: true },
  'output-too-large': {
    reason: `the program wrote more than ${mostOutputBytes / 1_024} KiB to its standard output: let it store large results elsewhere, and say where`,
    retryable: true,
  },
};

/** The report for a program that ended by itself. */
export function reportOf({ exitCode, stdout, overflowed, stderr }: ProgramEnd): AttemptReport {
  if (overflowed) return reportOfEnding('output-too-large');
  if (exitCode === 0) return { type: 'complete', output: outputOf(stdout) };
  return {
    type: 'fail',
    reason: stderr || `the program ended with exit code ${exitCode}`,
    code: `exit-${exitCode}`,
    retryable: !finalExitCodes.has(exitCode),
    output: isJson(stdout) ? stdout : undefined,
  };
}

export function reportOfEnding(cause: EndCause): AttemptReport {
  return { type: 'fail', code: cause, ...endings[cause] };
}

export function reportOfNoStart(reason: string): AttemptReport {
  return { type: 'fail', code: 'not-started', reason, retryable: true };
}

export function reportOfRefusal(reason: string): AttemptReport {
  return { type: 'fail', code: 'output-refused', reason: reason.slice(0, 4_000), retryable: true };
}

/** The body of the request that reports it; numbers keep the digits that the program wrote. */
export function bodyOf(report: AttemptReport, attemptToken: string): string {
  if (report.type === 'complete') return withMember({ attemptToken }, 'output', report.output);
  const { reason, code, retryable, output } = report;
  const body = { attemptToken, reason, code, retryable };
  return output === undefined ? JSON.stringify(body) : withMember(body, 'output', output);
}

function outputOf(stdout: string): JsonText {
  return isJson(stdout) ? stdout : JSON.stringify({ text: stdout.toWellFormed().trim() });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
