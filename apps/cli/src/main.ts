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

/** Runs one command line (without program name) and answers its exit code; see exit-code.ts. */
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

/** Without what is meant for another program. */
function ownArguments(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

type Reporting = Readonly<{ terminal: Terminal; json: boolean; env: Environment }>;

function report(error: unknown, { terminal, json, env }: Reporting): void {
  if (json && error instanceof ProblemError && error.problem)
    return terminal.warn(printableJson(error.body));
  terminal.warn(`throughline: ${error instanceof Error ? error.message : String(error)}`);
  const more = error instanceof CliError ? nextOf(error) : stackOf(error, env);
  if (more !== undefined) terminal.warn(more);
}

function nextOf({ next }: CliError): string | undefined {
  return next === undefined ? undefined : `next: ${next}`;
}

/** Unforeseen errors: their stack is for whoever asked for details. */
function stackOf(error: unknown, env: Environment): string | undefined {
  const wanted = /^(debug|trace)$/.test(env['THROUGHLINE_LOG_LEVEL'] ?? '');
  return wanted && error instanceof Error ? error.stack : undefined;
}
