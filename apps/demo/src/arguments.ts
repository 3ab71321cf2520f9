import { join } from 'node:path';

import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';

import { type HistoryChoice } from './history/write-history.js';
import { type KeepChoice } from './keep/keep-workspace.js';
import { type Terminal } from './terminal/terminal.js';

export type WorkEventsChoice = Readonly<{ path: string; limit: number | undefined }>;

export type DemoChoice =
  | Readonly<{ demo: 'feature' }>
  | Readonly<{ demo: 'work-events' } & WorkEventsChoice>
  | Readonly<{ demo: 'agent-trail'; path: string }>
  | Readonly<{ demo: 'history' } & HistoryChoice>
  | Readonly<{ demo: 'keep' } & KeepChoice>;

const defaultData = '../shared/data';
const defaultWorkspace = '.throughline-demo';

const optionValues = z.object({
  workEvents: z.union([z.string(), z.literal(true)]).optional(),
  agentTrail: z.union([z.string(), z.literal(true)]).optional(),
  limit: z.number().optional(),
  write: z.string().optional(),
  day: z.string().optional(),
  keep: z.union([z.string(), z.literal(true)]).optional(),
  port: z.number().optional(),
});

const closing = `
Without an option, five agents and a person build a small feature.

With --keep, a team builds the login of a shop and releases it. Then the server runs until Ctrl-C, and the
link of its web console is printed. The workspace remains in a directory (default ./${defaultWorkspace}). The
same command opens it again and adds nothing. Your own server and its data are not touched.

Environment:
  THROUGHLINE_DATA  folder of the input data (default ${defaultData})

Examples:
  $ npm run demo
  $ npm run demo -- --work-events
  $ npm run demo -- --work-events ../shared/data/work-events/events.jsonl --limit 300
  $ npm run demo -- --agent-trail
  $ npm run demo -- --agent-trail --write day.jsonl --day 2026-04-07
  $ npm run demo -- --keep
  $ npm run demo -- --keep ../login-story --port 4000`;

/** Throws CommanderError for help and wrong usage. */
export function readArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): DemoChoice {
  const program = demoProgram(terminal);
  const options = optionValues.parse(program.parse([...argv], { from: 'user' }).opts());
  refuseConflicts(options, program);
  return choiceOf(options, env['THROUGHLINE_DATA'] || defaultData);
}

function refuseConflicts(options: z.output<typeof optionValues>, program: Command): void {
  const has = (name: keyof typeof options) => options[name] !== undefined;
  const refused: ReadonlyArray<readonly [boolean, string]> = [
    [
      [has('workEvents'), has('agentTrail'), has('keep')].filter(Boolean).length > 1,
      'choose one of --work-events, --agent-trail and --keep',
    ],
    [has('limit') && !has('workEvents'), '--limit requires --work-events'],
    [has('write') && !has('agentTrail'), '--write requires --agent-trail'],
    [has('day') && !has('write'), '--day requires --write'],
    [has('port') && !has('keep'), '--port requires --keep'],
  ];
  for (const [isRefused, sentence] of refused) if (isRefused) program.error(`demo: ${sentence}`);
}

function choiceOf(options: z.output<typeof optionValues>, data: string): DemoChoice {
  const { keep, port = 0 } = options;
  if (keep === undefined) return choiceOfInput(options, data);
  return { demo: 'keep', directory: keep === true ? defaultWorkspace : keep, port };
}

function choiceOfInput(
  { workEvents, agentTrail, limit, write, day }: z.output<typeof optionValues>,
  data: string,
): DemoChoice {
  const fileOf = (option: string | true, ...defaultPath: readonly string[]) =>
    option === true ? join(data, ...defaultPath) : option;
  if (workEvents !== undefined) {
    const path = fileOf(workEvents, 'work-events', 'events.jsonl');
    return { demo: 'work-events', path, limit };
  }
  if (agentTrail === undefined) return { demo: 'feature' };
  const path = fileOf(agentTrail, 'handoffs', 'agent-trail.jsonl');
  return write === undefined
    ? { demo: 'agent-trail', path }
    : { demo: 'history', path, day, file: write };
}

function demoProgram(terminal: Terminal): Command {
  return new Command('demo')
    .description('Plays the work of agents against a separate Throughline server, over HTTP.')
    .option('--work-events [file]', 'replay a work log, with a concurrent client for each actor')
    .option('--limit <events>', 'only the first n events of the work log', atLeastOne)
    .option('--agent-trail [file]', 'play trails that coding agents recorded')
    .option(
      '--write <file>',
      'write the trails as a file for "throughline import", and play nothing',
    )
    .option('--day <date>', 'only trails that began on this day (UTC), such as 2026-04-07')
    .option('--keep [directory]', 'fill a workspace with a story for the web console')
    .option('--port <number>', 'port of that server (default: a free one)', portNumber)
    .addHelpText('after', closing)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.write(text.trimEnd()),
      writeErr: (text) => terminal.warn(text.trimEnd()),
    });
}

function portNumber(value: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw new InvalidArgumentError('must be 0 to 65535');
  return port;
}

function atLeastOne(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('must be 1 or more');
  return Number(value);
}
