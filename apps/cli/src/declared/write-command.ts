import { z } from 'zod';

import { type ApiAnswer, type ApiRequest, parseAnswer } from '../api-client.js';
import { type CliCommand, type FlagDescription } from '../command.js';
import { readJsonText } from '../json-input.js';
import { printableLine } from '../printable.js';
import { type Session } from '../session.js';
import { type Terminal } from '../terminal.js';
import { writeHeaders, writeInput, writeOptions } from '../write-answer.js';
import { addressOf, parseOptionValues } from './address.js';
import { explainFaults } from './explain-faults.js';
import { type OptionValues, bodyOf, fileOption } from './field-body.js';
import { type Field, isOption, keyOf } from './fields.js';

/**
 * The options of a write in addition to its members. `all`: agent, visibility, and the options that are sent as headers;
 * `agent`: without visibility; `headers`: only those sent as headers; `none`: the command does not write to a context.
 */
type WriteOptionSet = 'all' | 'agent' | 'headers' | 'none';

type WriteDeclaration = Readonly<{
  name: string;
  summary: string;
  examples: readonly string[];
  /** The address below `/v1`, with arguments in braces: `contexts/{context}/risks`. */
  path: string;
  method?: 'POST' | 'PATCH' | 'PUT';
  /** The arguments of the address; arguments among the fields follow them. */
  arguments?: readonly FlagDescription[];
  options?: readonly FlagDescription[];
  fields?: readonly Field[];
  /** The description of a body that is passed as one JSON text, instead of fields. */
  jsonBody?: string;
  /** By default `all`. */
  optionSet?: WriteOptionSet;
  /** The printed line. Names in braces are members of the answer or of the body, or arguments. */
  done: string;
  /** The printed line if nothing was stored. */
  unchanged?: string;
  /** Renders the answer instead of that line. */
  render?: (answer: ApiAnswer, given: OptionValues) => string;
  /** Throws to end the command with an error after it has printed the answer. */
  requireSuccess?: (answer: ApiAnswer, given: OptionValues) => void;
}>;

const written = z.looseObject({
  version: z.number().optional(),
  events: z.array(z.unknown()).optional(),
});

const jsonBodyFileOption: FlagDescription = ['--file <path>', 'read it from a file'];

/** Defines a command that sends a write and prints its result. */
export function defineWrite(declaration: WriteDeclaration): CliCommand {
  const { name, summary, examples, fields = [], options = [] } = declaration;
  const fieldArguments = fields.filter((field) => !isOption(field)).map(describe);
  return {
    name,
    summary,
    examples,
    arguments: [
      ...(declaration.arguments ?? []),
      ...fieldArguments,
      ...jsonBodyArgument(declaration),
    ],
    options: [
      ...fields.filter(isOption).map(describe),
      ...options,
      ...(fields.length > 0 ? [fileOption] : []),
      ...(declaration.jsonBody === undefined ? [] : [jsonBodyFileOption]),
      ...authorshipOptions(declaration),
    ],
    run: async (session, given) => write(declaration, session, parseOptionValues(given)),
  };
}

async function write(
  declaration: WriteDeclaration,
  session: Session,
  given: OptionValues,
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
  declaration.requireSuccess?.(answer, given);
}

async function requestOf(
  declaration: WriteDeclaration,
  session: Session,
  given: OptionValues,
): Promise<ApiRequest> {
  const { path, method = 'POST', fields = [], jsonBody, optionSet = 'all' } = declaration;
  const { agent: agentId, visibility, ...headers } = writeInput.parse(given);
  const authorship = optionSet === 'none' ? {} : { agentId, visibility };
  return {
    method,
    path: addressOf(path, given),
    body: await (jsonBody === undefined
      ? bodyOf(fields, given, session.terminal, authorship)
      : readJsonBody(given, session.terminal)),
    ...(optionSet !== 'none' && { headers: writeHeaders(headers) }),
  };
}

function describeWrite(
  { done, unchanged = 'nothing to add', fields = [] }: WriteDeclaration,
  answer: ApiAnswer,
  given: OptionValues,
): string {
  const body = parseAnswer(written, answer);
  const fieldValues = fields.map((field) => [field.member, given[keyOf(field)]] as const);
  const names = new Map<string, unknown>([
    ...Object.entries(given),
    ...fieldValues.filter(([, value]) => value !== undefined),
    ...Object.entries(body),
  ]);
  const isStored = body.events === undefined || body.events.length > 0;
  const line = (isStored ? done : unchanged).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(names.get(name) ?? ''),
  );
  const version = body.version === undefined ? [] : [`version ${body.version}`];
  return printableLine([line.trim(), ...version].join(', '));
}

const omitted: Readonly<Record<WriteOptionSet, RegExp>> = {
  all: /^$/,
  agent: /^--visibility/,
  headers: /^--(agent|visibility)/,
  none: /^/,
};

function authorshipOptions({ optionSet = 'all' }: WriteDeclaration): readonly FlagDescription[] {
  return writeOptions.filter(([flags]) => !omitted[optionSet].test(flags));
}

function jsonBodyArgument({ jsonBody }: WriteDeclaration): readonly FlagDescription[] {
  return jsonBody === undefined ? [] : [['[json]', `${jsonBody}; - reads standard input`]];
}

async function readJsonBody({ json, file }: OptionValues, terminal: Terminal): Promise<string> {
  const textOf = (value: unknown) => (value === undefined ? undefined : String(value));
  const next = 'put it in single quotes, so that the shell does not change it';
  return readJsonText({ value: textOf(json), file: textOf(file) }, terminal, { next });
}

function describe({ flags, description }: Field): FlagDescription {
  return [flags, description];
}
