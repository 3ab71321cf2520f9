import { type z } from 'zod';

import { UsageError } from './cli-error.js';
import { type Session } from './session.js';

/** In the syntax of commander: `['--limit <n>', 'maximum number of items']`. */
export type FlagDescription = readonly [flags: string, description: string];

type CommandTexts = Readonly<{
  /** As typed by the user: `context list`. */
  name: string;
  summary: string;
  arguments?: readonly FlagDescription[];
  options?: readonly FlagDescription[];
  /** Complete command lines for the help. */
  examples: readonly string[];
}>;

/** `values` has the arguments and options that commander read, by their camelCase names. */
export type CliCommand = CommandTexts &
  Readonly<{ run: (session: Session, values: unknown) => Promise<void> }>;

/** Defines a command by its texts and a function of its parsed input. */
export function defineCommand<Input>(
  command: CommandTexts &
    Readonly<{
      input: z.ZodType<Input>;
      run: (session: Session, input: Input) => Promise<void>;
    }>,
): CliCommand {
  const { input, run, ...texts } = command;
  return {
    ...texts,
    run: async (session, values) => run(session, await parseInput(input, values)),
  };
}

async function parseInput<Input>(schema: z.ZodType<Input>, values: unknown): Promise<Input> {
  const { data, success } = schema.safeParse(values);
  if (success) return data;
  const { inWords } = await import('#event-sourcing');
  const issues = schema.safeParse(values, inWords).error?.issues ?? [];
  const faults = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new UsageError(faults.join('\n'));
}
