import { Command, CommanderError, Help } from 'commander';
import { z } from 'zod';

import { describeGroup, renderAreas } from './areas.js';
import { type CliCommand } from './command.js';
import { exitCodes } from './exit-code.js';
import { type SessionEdges, openSession } from './session.js';

const description = `Throughline: an event-sourced shared-context store for multi-agent workflows.`;

const closing = `"throughline <command> --help" describes a command, its options and examples.

The environment variables THROUGHLINE_URL and THROUGHLINE_KEY set --url and --key. By default,
commands use the server on this machine, and its root key in THROUGHLINE_DATA_DIR (./.throughline).

Exit codes:
  0 done   1 failed   2 wrong usage or input   3 conflict   4 not found or not allowed
  5 not reachable or busy: a retry may succeed
  with run --wait: 6 the run was rejected   7 it failed   8 it was cancelled

Examples:
  $ throughline start
  $ throughline context create demo --title "Checkout feature"
  $ throughline view demo --audience reviewer`;

/** Fits most terminals. */
const widestLine = 98;

const globals = z.object({
  json: z.boolean().optional(),
  url: z.string().optional(),
  key: z.string().optional(),
  workspace: z.string().optional(),
});

type ProgramEdges = SessionEdges & Readonly<{ version: string }>;

/** Throws the error of the command, or CommanderError for help and wrong usage. */
export async function runProgram(
  commands: readonly CliCommand[],
  argv: readonly string[],
  edges: ProgramEdges,
): Promise<void> {
  const program = configured(new Command('throughline'), edges)
    .description(description)
    .version(edges.version, '-V, --version', 'print the version')
    .option('--json', "print the server's answer unchanged, errors as problem+json on stderr")
    .option('--url <url>', 'address of the server')
    .option(
      '--key <secret>',
      'API key (other users of this machine can see it: prefer THROUGHLINE_KEY)',
    )
    .option('--workspace <name>', 'name of another workspace (root key only)')
    .configureHelp({
      showGlobalOptions: true,
      // One screen: the summaries of more than a hundred commands are in the help of their groups.
      formatHelp: (command, help) =>
        command.parent
          ? Help.prototype.formatHelp.call(help, command, help)
          : rootHelp(commands, { program: command, help }),
    });
  for (const command of matchingCommands(argv, commands)) addCommand(program, command, edges);
  await program.parseAsync([...argv], { from: 'user' });
}

/** Returns the commands whose name begins with the first word, or else all. To register all takes a tenth of a command's time. */
function matchingCommands(
  [word]: readonly string[],
  commands: readonly CliCommand[],
): readonly CliCommand[] {
  const named = commands.filter(({ name }) => name.split(' ')[0] === word);
  return named.length > 0 ? named : commands;
}

export function exitCodeOfCommander({ exitCode }: CommanderError): number {
  return exitCode === 0 ? exitCodes.ok : exitCodes.usage;
}

function addCommand(program: Command, command: CliCommand, edges: ProgramEdges): void {
  const words = command.name.split(' ');
  const parent = words.length > 1 ? groupOf(program, words[0] ?? '', edges) : program;
  const leaf = configured(parent.command(words.at(-1) ?? command.name), edges).description(
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

type RootHelpInput = Readonly<{ program: Command; help: Help }>;

function rootHelp(commands: readonly CliCommand[], { program, help }: RootHelpInput): string {
  const options = help
    .visibleOptions(program)
    .map((option) => [help.optionTerm(option), help.optionDescription(option)] as const);
  const width = Math.max(...options.map(([term]) => term.length));
  const lines = options.map(([term, text]) => `  ${term.padEnd(width)}  ${text}`);
  return `${description}

Usage: throughline <command> [options]

${renderAreas(commands, widestLine)}

Options of every command:
${lines.join('\n')}
${closing}
`;
}

function groupOf(program: Command, name: string, edges: ProgramEdges): Command {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? configured(program.command(name), edges).description(describeGroup(name));
}

function configured(command: Command, { terminal }: ProgramEdges): Command {
  return command
    .exitOverride()
    .allowExcessArguments(false)
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => terminal.write(text.trimEnd()),
      writeErr: (text) => terminal.warn(text.trimEnd()),
    });
}
