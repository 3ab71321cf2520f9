import { CliError } from '../cli-error.js';
import { oneLine } from '../printable.js';
import { ProblemError } from '../problem.js';
import {
  type AttemptReport,
  reportOf,
  reportOfEnding,
  reportOfNoStart,
  reportOfRefusal,
} from './attempt-report.js';
import { childEnvironment } from './child-environment.js';
import { type ClaimedWork, labelOf } from './claimed-work.js';
import { type Ending } from './ending.js';
import { type Program, type RunningProgram, runProgram } from './run-program.js';
import { sendReport } from './send-report.js';
import { whenToEnd } from './when-to-end.js';
import { type WorkTools } from './work-tools.js';

/** Standard error of a program may be long; the server has all that is reported. */
const widestLine = 300;
/** An output that the server does not take, whatever the run makes of that. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/** What comes first: the end of the program, a reason to end it, or that it cannot be started. */
type Outcome =
  | Readonly<{ report: AttemptReport }>
  | Readonly<{ ending: Ending }>
  | Readonly<{ fault: CliError }>;

/**
 * Runs the program for an attempt and reports what has come of it. Rejects only if the program cannot be started, which has been
 * reported then.
 */
export async function carryOut(work: ClaimedWork, tools: WorkTools): Promise<void> {
  const { env, log } = tools;
  const label = labelOf(work.envelope);
  const startedAt = performance.now();
  log(`${label} started`);
  const program = runProgram(tools.program, {
    input: JSON.stringify(work.envelope),
    env: childEnvironment(env, work.envelope),
  });
  const over = new AbortController();
  try {
    const outcome: Outcome = await Promise.race([
      program.ended.then((end) => ({ report: reportOf(end) })),
      whenToEnd(work, program, { ...tools, over: over.signal }).then((ending) => ({ ending })),
    ]).catch((error: unknown) => ({ fault: cannotRun(tools.program, error) }));
    const result = await settle(outcome, { work, program, tools });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    log(oneLine(`${label} ${result} (${seconds} s)`, widestLine));
    if ('fault' in outcome) throw outcome.fault;
  } finally {
    over.abort();
  }
}

type Attempt = Readonly<{ work: ClaimedWork; program: RunningProgram; tools: WorkTools }>;

/** Returns what has come of the attempt, for the log. */
async function settle(outcome: Outcome, attempt: Attempt): Promise<string> {
  if ('report' in outcome) return report(outcome.report, attempt);
  if ('fault' in outcome) return report(reportOfNoStart(outcome.fault.message), attempt);
  const { ending } = outcome;
  await attempt.program.end(ending.graceMs);
  if (ending.cause === 'refused') return `was dropped: ${ending.reason}`;
  return report(reportOfEnding(ending.cause), attempt);
}

async function report(reported: AttemptReport, attempt: Attempt): Promise<string> {
  const { work, tools } = attempt;
  const { token, clock } = work;
  try {
    await sendReport({ api: tools.api, token, leftMs: () => clock.left() }, reported);
  } catch (error) {
    if (reported.type === 'complete' && isRefusal(error))
      return report(reportOfRefusal(error.message), attempt);
    return `was dropped: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (reported.type === 'complete') return 'completed';
  return `failed with ${reported.code}: ${reported.reason.split('\n').at(-1)}`;
}

function isRefusal(error: unknown): error is ProblemError {
  return error instanceof ProblemError && refusals.has(error.status);
}

export function cannotRun({ command }: Program, error: unknown): CliError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError(`cannot run ${command}: ${reason}`, {
    cause: error,
    next: 'is it there, and executable? It is run without a shell: its arguments follow --',
  });
}
