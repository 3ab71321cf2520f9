import { CommanderError } from 'commander';

import { CliError } from './cli-error.js';
import { commands } from './commands/index.js';
import { type Environment } from './credentials.js';
import { exitCodes } from './exit-code.js';
import { guardTerminal } from './guard-terminal.js';
import { ProblemError } from './problem.js';
import { printableJson } from './printable.js';
import { exitCodeOfCommander, runProgram } from './program.js';
import { type StartServer } from './session.js';
import { type Terminal, processTerminal } from './terminal.js';

type CliEdges = Readonly<{
  startServer: StartServer;
  startProjector: StartServer;
  version: string;
  env?: Environment;
  terminal?: Terminal;
}>;

/** Runs one command line (without program name) and returns its exit code; see exit-code.ts. */
export async function runCli(argv: readonly string[], edges: CliEdges): Promise<number> {
  const { env = process.env } = edges;
  const json = ownArguments(argv).includes('--json');
  const terminal = guardTerminal(edges.terminal ?? processTerminal(), { json });
  try {
    await runProgram(commands, argv, { ...edges, env, terminal });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOfCommander(error);
    report(error, { terminal, json, env });
    return error instanceof CliError ? error.exitCode : exitCodes.failure;
  }
}

/** Returns the arguments before `--`, which separates the arguments of another program. */
function ownArguments(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

type ReportContext = Readonly<{ terminal: Terminal; json: boolean; env: Environment }>;

function report(error: unknown, { terminal, json, env }: ReportContext): void {
  if (json && error instanceof ProblemError && error.problem)
    return terminal.warn(printableJson(error.body));
  terminal.warn(`throughline: ${error instanceof Error ? error.message : String(error)}`);
  const more = error instanceof CliError ? nextOf(error) : stackOf(error, env);
  if (more !== undefined) terminal.warn(more);
}

function nextOf({ next }: CliError): string | undefined {
  return next === undefined ? undefined : `next: ${next}`;
}

/** Returns the stack of an unexpected error at the log levels debug and trace. */
function stackOf(error: unknown, env: Environment): string | undefined {
  const isVerbose = /^(debug|trace)$/.test(env['THROUGHLINE_LOG_LEVEL'] ?? '');
  return isVerbose && error instanceof Error ? error.stack : undefined;
}
