import { join } from 'node:path';

import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';

import { type HistoryChoice } from './history/write-history.js';
import { type Terminal } from './terminal/terminal.js';

export type WorkEventsChoice = Readonly<{ path: string; limit: number | undefined }>;

export type DemoChoice =
  | Readonly<{ demo: 'feature' }>
  | Readonly<{ demo: 'work-events' } & WorkEventsChoice>
  | Readonly<{ demo: 'agent-trail'; path: string }>
  | Readonly<{ demo: 'history' } & HistoryChoice>;

const defaultData = '../shared/data';

const optionValues = z.object({
  workEvents: z.union([z.string(), z.literal(true)]).optional(),
  agentTrail: z.union([z.string(), z.literal(true)]).optional(),
  limit: z.number().optional(),
  write: z.string().optional(),
  day: z.string().optional(),
});

const closing = `
Without an option, five agents and a person build a small feature.

Environment:
  THROUGHLINE_DATA  folder of the input data (default ${defaultData})

Examples:
  $ npm run demo
  $ npm run demo -- --work-events
  $ npm run demo -- --work-events ../shared/data/work-events/events.jsonl --limit 300
  $ npm run demo -- --agent-trail
  $ npm run demo -- --agent-trail --write day.jsonl --day 2026-04-07`;

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
    [has('workEvents') && has('agentTrail'), 'choose one of --work-events and --agent-trail'],
    [has('limit') && !has('workEvents'), '--limit requires --work-events'],
    [has('write') && !has('agentTrail'), '--write requires --agent-trail'],
    [has('day') && !has('write'), '--day requires --write'],
  ];
  for (const [isRefused, sentence] of refused) if (isRefused) program.error(`demo: ${sentence}`);
}

function choiceOf(
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
    .description('Plays the work of agents against a temporary Throughline server, over HTTP.')
    .option('--work-events [file]', 'replay a work log, with a concurrent client for each actor')
    .option('--limit <events>', 'only the first n events of the work log', atLeastOne)
    .option('--agent-trail [file]', 'play trails that coding agents recorded')
    .option(
      '--write <file>',
      'write the trails as a file for "throughline import", and play nothing',
    )
    .option('--day <date>', 'only trails that began on this day (UTC), such as 2026-04-07')
    .addHelpText('after', closing)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.write(text.trimEnd()),
      writeErr: (text) => terminal.warn(text.trimEnd()),
    });
}

function atLeastOne(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('must be 1 or more');
  return Number(value);
}
