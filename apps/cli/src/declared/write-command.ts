import { z } from 'zod';

import { type ApiAnswer, type ApiRequest, parseAnswer } from '../api-client.js';
import { type CliCommand, type Described } from '../command.js';
import { readJsonText } from '../json-input.js';
import { printableLine } from '../printable.js';
import { type Session } from '../session.js';
import { type Terminal } from '../terminal.js';
import { writeHeaders, writeInput, writeOptions } from '../write-answer.js';
import { addressOf, parseGiven } from './address.js';
import { explainFaults } from './explain-faults.js';
import { type GivenValues, bodyOf, fileOption } from './field-body.js';
import { type Field, isOption, keyOf } from './fields.js';

/**
 * `whole`: also the agent that it is written for and its visibility; `agent`: the agent alone; `headers`: neither; `none`: it is no
 * write to a context.
 */
type Statement = 'whole' | 'agent' | 'headers' | 'none';

type WriteDeclaration = Readonly<{
  name: string;
  summary: string;
  examples: readonly string[];
  /** The address below `/v1`, with arguments in braces: `contexts/{context}/risks`. */
  path: string;
  method?: 'POST' | 'PATCH' | 'PUT';
  /** The arguments of the address; those among the fields follow them. */
  arguments?: readonly Described[];
  options?: readonly Described[];
  fields?: readonly Field[];
  /** Instead of fields: what the whole body is, which is given as one JSON text. */
  whole?: string;
  /** What the write says of itself beside its members; by default all that there is. */
  statement?: Statement;
  /** The line that is printed, with names of members of the answer, of the body, or of arguments in braces. */
  done: string;
  /** The line if nothing was stored, since it was so already. */
  unchanged?: string;
  /** What is printed instead of that line. */
  render?: (answer: ApiAnswer, given: GivenValues) => string;
  /** Throws if the command is to end with an error after what it has printed. */
  judge?: (answer: ApiAnswer, given: GivenValues) => void;
}>;

const written = z.looseObject({
  version: z.number().optional(),
  events: z.array(z.unknown()).optional(),
});

const wholeFileOption: Described = ['--file <path>', 'read it from a file'];

/** A command that sends what it was given and prints what has become of it. */
export function defineWrite(declaration: WriteDeclaration): CliCommand {
  const { name, summary, examples, fields = [], options = [] } = declaration;
  const stated = fields.filter((field) => !isOption(field)).map(describe);
  return {
    name,
    summary,
    examples,
    arguments: [...(declaration.arguments ?? []), ...stated, ...wholeArgument(declaration)],
    options: [
      ...fields.filter(isOption).map(describe),
      ...options,
      ...(fields.length > 0 ? [fileOption] : []),
      ...(declaration.whole === undefined ? [] : [wholeFileOption]),
      ...statementOptions(declaration),
    ],
    run: async (session, given) => write(declaration, session, parseGiven(given)),
  };
}

async function write(
  declaration: WriteDeclaration,
  session: Session,
  given: GivenValues,
): Promise<void> {
  const request = await requestOf(declaration, session, given);
  const answer = await session.api.send(request).catch((error: unknown) => {
    // With --json, a problem is printed as it was sent.
    throw session.json ? error : explainFaults(error, declaration.fields ?? []);
  });
  session.show(
    answer,
    () => declaration.render?.(answer, given) ?? describeWrite(declaration, answer, given),
  );
  declaration.judge?.(answer, given);
}

async function requestOf(
  declaration: WriteDeclaration,
  session: Session,
  given: GivenValues,
): Promise<ApiRequest> {
  const { path, method = 'POST', fields = [], whole, statement = 'whole' } = declaration;
  const { agent: agentId, visibility, ...headers } = writeInput.parse(given);
  const beside = statement === 'none' ? {} : { agentId, visibility };
  return {
    method,
    path: addressOf(path, given),
    body: await (whole === undefined
      ? bodyOf(fields, given, session.terminal, beside)
      : readWhole(given, session.terminal)),
    ...(statement !== 'none' && { headers: writeHeaders(headers) }),
  };
}

function describeWrite(
  { done, unchanged = 'nothing to add', fields = [] }: WriteDeclaration,
  answer: ApiAnswer,
  given: GivenValues,
): string {
  const body = parseAnswer(written, answer);
  const stated = fields.map((field) => [field.member, given[keyOf(field)]] as const);
  const names = new Map<string, unknown>([
    ...Object.entries(given),
    ...stated.filter(([, value]) => value !== undefined),
    ...Object.entries(body),
  ]);
  const isStored = body.events === undefined || body.events.length > 0;
  const line = (isStored ? done : unchanged).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(names.get(name) ?? ''),
  );
  const version = body.version === undefined ? [] : [`version ${body.version}`];
  return printableLine([line.trim(), ...version].join(', '));
}

const omitted: Readonly<Record<Statement, RegExp>> = {
  whole: /^$/,
  agent: /^--visibility/,
  headers: /^--(agent|visibility)/,
  none: /^/,
};

function statementOptions({ statement = 'whole' }: WriteDeclaration): readonly Described[] {
  return writeOptions.filter(([flags]) => !omitted[statement].test(flags));
}

function wholeArgument({ whole }: WriteDeclaration): readonly Described[] {
  return whole === undefined ? [] : [['[json]', `${whole}; - reads standard input`]];
}

async function readWhole({ json, file }: GivenValues, terminal: Terminal): Promise<string> {
  const textOf = (value: unknown) => (value === undefined ? undefined : String(value));
  const next = 'put it in single quotes, so that the shell leaves it as it is';
  return readJsonText({ value: textOf(json), file: textOf(file) }, terminal, { next });
}

function describe({ flags, description }: Field): Described {
  return [flags, description];
}
