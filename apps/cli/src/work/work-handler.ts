import { WorkFailure, type WorkHandler } from '@throughline/sdk';

import { CliError } from '../cli-error.js';
import { type Environment } from '../credentials.js';
import { childEnvironment } from './child-environment.js';
import { outputOf, tooLargeOutput } from './program-output.js';
import { type Program, runProgram } from './run-program.js';

/** Shared by all attempts of a worker. */
type WorkTools = Readonly<{
  env: Environment;
  program: Program;
  /** Aborts when running programs must end. */
  killing: AbortSignal;
}>;

/** The program's share of the grace period; the rest is for SIGKILL. */
const programGraceShare = 0.9;

/** Why a program is ended before it ends by itself. */
type Interruption = Readonly<{ reason: unknown }>;

/** Runs the program for each attempt. If the attempt is interrupted, ends the program with its child processes. */
export function workHandler(tools: WorkTools): WorkHandler {
  return async (work, { signal, graceMs }) => {
    const program = runProgram(tools.program, {
      input: JSON.stringify(work),
      env: childEnvironment(tools.env, work),
    });
    const ended = program.ended.then(
      (end) => ({ end }),
      (error: unknown) => Promise.reject(notStarted(tools.program, error)),
    );
    const interrupted = new Promise<Interruption>((resolve) => {
      void program.overflowed.then(() => resolve({ reason: tooLargeOutput() }));
      onAbort(tools.killing, () => resolve({ reason: stopped() }), ended);
      onAbort(signal, () => resolve({ reason: signal.reason }), ended);
    });
    const outcome = await Promise.race([ended, interrupted]);
    if ('end' in outcome) return outputOf(outcome.end);
    // The attempt may have to be reported within the grace period after any interruption.
    await program.end(graceMs * programGraceShare);
    throw outcome.reason;
  };
}

/** Calls `act` when the signal aborts, unless `until` settles before. */
function onAbort(signal: AbortSignal, act: () => void, until: Promise<unknown>): void {
  if (signal.aborted) return act();
  signal.addEventListener('abort', act, { once: true });
  const release = () => signal.removeEventListener('abort', act);
  void until.then(release, release);
}

function stopped(): WorkFailure {
  return new WorkFailure('the worker was stopped', { code: 'stopped', retryable: true });
}

/** The worker ends with the cause of this failure. */
function notStarted({ command }: Program, error: unknown): WorkFailure {
  const reason = error instanceof Error ? error.message : String(error);
  const cause = new CliError(`cannot run ${command}: ${reason}`, {
    cause: error,
    next: 'check that it exists and is executable; it is run without a shell, and its arguments follow --',
  });
  return new WorkFailure(cause.message, { code: 'not-started', retryable: true, cause });
}
