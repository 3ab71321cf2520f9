import { Command, CommanderError } from 'commander';
import { z } from 'zod';

import { type CliCommand } from './command.js';
import { exitCodes } from './exit-code.js';
import { type SessionEdges, openSession } from './session.js';

const description = `Throughline: an event-sourced shared-context store for multi-agent workflows.`;

const closing = `
Environment:
  THROUGHLINE_URL       address of the server (default http://127.0.0.1:3000)
  THROUGHLINE_KEY       key to present (default: the root key of a server on this machine)
  THROUGHLINE_DATA_DIR  where that server keeps its data (default ./.throughline)

Exit codes:
  0 done   1 failed   2 wrong usage or input   3 conflict   4 not there or not allowed
  5 not reachable or busy: the same command may work in a moment
  6 the run that was waited for was rejected   7 it failed   8 it was cancelled

Examples:
  $ throughline start
  $ throughline context create demo --title "Checkout feature"
  $ throughline output add demo plan '{"files": ["cart.ts"]}'
  $ throughline context show demo`;

const globals = z.object({
  json: z.boolean().optional(),
  url: z.string().optional(),
  key: z.string().optional(),
  workspace: z.string().optional(),
});

const groups: Readonly<Record<string, string>> = {
  context: 'List, show and create contexts',
  output: 'What steps have produced',
  decision: 'What was decided, and why',
  workflow: 'Definitions of workflows',
  approval: 'What runs ask of people',
  epoch: 'Which runs go on by themselves',
  key: 'Who may do what',
  projection: 'The read models: where they stand, and how they are made anew',
  job: 'Rebuilds, and how they get on',
  'dead-letter': 'What could not be applied to the read models',
};

export type ProgramEdges = SessionEdges & Readonly<{ version: string }>;

/** Throws what a command throws, and CommanderError for help and wrong usage. */
export async function runProgram(
  commands: readonly CliCommand[],
  argv: readonly string[],
  edges: ProgramEdges,
): Promise<void> {
  const program = dressed(new Command('throughline'), edges)
    .description(description)
    .version(edges.version, '-V, --version', 'print the version')
    .option('--json', "print the server's answer as it is, errors as problem+json on stderr")
    .option('--url <url>', 'address of the server')
    .option(
      '--key <secret>',
      'key to present (others on this machine can see it: prefer THROUGHLINE_KEY)',
    )
    .option('--workspace <name>', 'workspace to act in (root key only)')
    .addHelpText('after', closing);
  for (const command of commands) addCommand(program, command, edges);
  await program.parseAsync([...argv], { from: 'user' });
}

export function exitCodeOfCommander({ exitCode }: CommanderError): number {
  return exitCode === 0 ? exitCodes.ok : exitCodes.usage;
}

function addCommand(program: Command, command: CliCommand, edges: ProgramEdges): void {
  const words = command.name.split(' ');
  const parent = words.length > 1 ? groupOf(program, words[0] ?? '', edges) : program;
  const leaf = dressed(parent.command(words.at(-1) ?? command.name), edges).description(
    command.summary,
  );
  for (const [flags, text] of command.arguments ?? []) leaf.argument(flags, text);
  for (const [flags, text] of command.options ?? []) leaf.option(flags, text);
  leaf.addHelpText(
    'after',
    `\nExamples:\n${command.examples.map((line) => `  $ ${line}`).join('\n')}`,
  );
  leaf.action(async () => {
    const named = leaf.registeredArguments.map((argument, at) => [
      argument.name(),
      argument.variadic ? leaf.args.slice(at) : leaf.args[at],
    ]);
    const session = openSession(edges, globals.parse(leaf.optsWithGlobals()));
    await command.run(session, { ...leaf.opts(), ...Object.fromEntries(named) });
  });
}

function groupOf(program: Command, name: string, edges: ProgramEdges): Command {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? dressed(program.command(name), edges).description(groups[name] ?? name);
}

function dressed(command: Command, { terminal }: ProgramEdges): Command {
  return command
    .exitOverride()
    .allowExcessArguments(false)
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => terminal.write(text.trimEnd()),
      writeErr: (text) => terminal.warn(text.trimEnd()),
    });
}
