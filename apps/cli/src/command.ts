import { type z } from 'zod';

import { UsageError } from './cli-error.js';
import { type Session } from './session.js';

/** As commander writes them: `['--limit <n>', 'at most so many']`. */
export type Described = readonly [flags: string, description: string];

type CommandTexts = Readonly<{
  /** As typed: `context list`. */
  name: string;
  summary: string;
  arguments?: readonly Described[];
  options?: readonly Described[];
  /** Whole command lines; help shows them. */
  examples: readonly string[];
}>;

/** `given` holds arguments and options by their camelCase names, as commander read them. */
export type CliCommand = CommandTexts &
  Readonly<{ run: (session: Session, given: unknown) => Promise<void> }>;

/** A command is data and a function of its parsed input. */
export function defineCommand<Input>(
  command: CommandTexts &
    Readonly<{
      input: z.ZodType<Input>;
      run: (session: Session, input: Input) => Promise<void>;
    }>,
): CliCommand {
  const { input, run, ...texts } = command;
  return { ...texts, run: async (session, given) => run(session, await parseInput(input, given)) };
}

async function parseInput<Input>(schema: z.ZodType<Input>, given: unknown): Promise<Input> {
  const { data, success } = schema.safeParse(given);
  if (success) return data;
  const { inWords } = await import('#event-sourcing');
  const issues = schema.safeParse(given, inWords).error?.issues ?? [];
  const faults = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new UsageError(faults.join('\n'));
}
