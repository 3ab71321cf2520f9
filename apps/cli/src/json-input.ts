import { readFile } from 'node:fs/promises';

import { UsageError } from './cli-error.js';
import { type Terminal } from './terminal.js';

type JsonSource = Readonly<{
  /** JSON on the command line; `-` is standard input. */
  value?: string | undefined;
  file?: string | undefined;
}>;

/**
 * Returns the JSON text unchanged, so that the server gets every digit. With `asText`, the input is plain text and is
 * encoded as one string.
 */
export async function readJsonText(
  { value, file }: JsonSource,
  terminal: Terminal,
  options: { asText?: boolean | undefined; next?: string } = {},
): Promise<string> {
  if ((value === undefined) === (file === undefined))
    throw new UsageError(
      'pass the JSON as an argument, as --file <path>, or as "-" for standard input',
    );
  const text = await readText({ value, file }, terminal);
  if (options.asText) return JSON.stringify(text);
  try {
    JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const { next = '--text stores the input as one string' } = options;
    throw new UsageError(`the input is not JSON: ${reason}`, next);
  }
  return text;
}

/** Adds a member whose JSON text must stay unchanged. */
export function withMember(
  body: Readonly<Record<string, unknown>>,
  name: string,
  json: string,
): string {
  const others = JSON.stringify(body).slice(1, -1);
  return `{${others}${others === '' ? '' : ','}${JSON.stringify(name)}:${json}}`;
}

/** Reads a text file; `-` is standard input. */
export async function readFileText(file: string, terminal: Terminal): Promise<string> {
  if (file === '-') return terminal.readInput();
  return readText({ file }, terminal);
}

async function readText({ value, file }: JsonSource, terminal: Terminal): Promise<string> {
  if (value === '-') return terminal.readInput();
  if (file === undefined) return value ?? '';
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(
      `cannot read ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}
