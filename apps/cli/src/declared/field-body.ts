import { UsageError } from '../cli-error.js';
import { readFileText } from '../json-input.js';
import { type Terminal } from '../terminal.js';
import { type Field, type OptionValue, keyOf } from './fields.js';

export type OptionValues = Readonly<Record<string, OptionValue | undefined>>;

/** An option of commands whose body is built from fields. */
export const fileOption = [
  '--file <path>',
  'read the members from a JSON file, or with - from standard input; options add members',
] as const;

/**
 * Returns the JSON text of the body built from arguments and options, with the members of `--file` unchanged. `more`: further
 * members; undefined ones are omitted.
 */
export async function bodyOf(
  fields: readonly Field[],
  given: OptionValues,
  terminal: Terminal,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { file } = given;
  requireOneReader(fields, given);
  if (file === undefined) requireAll(fields, given);
  const members: string[] = [];
  for (const field of fields) {
    const value = given[keyOf(field)];
    if (value !== undefined)
      members.push(`${JSON.stringify(field.member)}:${await field.encode(value, terminal)}`);
  }
  const rest = JSON.stringify(more).slice(1, -1);
  if (rest !== '') members.push(rest);
  if (file !== undefined) members.push(...(await membersOfFile(String(file), terminal)));
  return `{${members.join(',')}}`;
}

/** Returns the unchanged text between the braces of the object in the file. */
async function membersOfFile(file: string, terminal: Terminal): Promise<readonly string[]> {
  const text = (await readFileText(file, terminal)).replace(/^\uFEFF/, '').trim();
  const name = file === '-' ? 'standard input' : file;
  if (!isObject(parse(text, name))) throw new UsageError(`${name} is not a JSON object`);
  const members = text.slice(1, -1).trim();
  return members === '' ? [] : [members];
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(
      `${name} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requireAll(fields: readonly Field[], given: OptionValues): void {
  const missing = fields.filter((field) => field.isRequired && given[keyOf(field)] === undefined);
  if (missing.length === 0) return;
  const lines = missing.map(
    ({ flags, description }) => `${flags.replace(/^\[(.*)\]$/, '<$1>')} is missing: ${description}`,
  );
  throw new UsageError(lines.join('\n'), 'pass it, or pass all members as --file <path>');
}

/** Throws if more than one value would read standard input. */
function requireOneReader(fields: readonly Field[], given: OptionValues): void {
  const readers = [given['file'], ...fields.map((field) => given[keyOf(field)])];
  if (readers.filter((value) => value === '-').length > 1)
    throw new UsageError('only one value can be read from standard input');
}
