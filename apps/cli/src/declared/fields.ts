import { UsageError } from '../cli-error.js';
import { readFileText, readJsonText } from '../json-input.js';
import { type Terminal } from '../terminal.js';

/** The value of an argument or option as commander reads it. */
export type OptionValue = string | readonly string[] | boolean;

/** A member of a request body. It is an option if its flags begin with `--`, otherwise an argument. */
export type Field = Readonly<{
  member: string;
  /** In the syntax of commander. */
  flags: string;
  description: string;
  /** Whether it must be passed, unless `--file` is. */
  isRequired?: boolean;
  /** Returns the JSON text of the value. */
  encode: (given: OptionValue, terminal: Terminal) => string | Promise<string>;
}>;

type Texts = Readonly<Pick<Field, 'flags' | 'description'>>;

/** A string, or a list of strings if the flags end in `...>`. */
export function textField(member: string, ...texts: [flags: string, description: string]): Field {
  return { member, ...described(texts), encode: (given) => JSON.stringify(given) };
}

/**
 * A string; `-` reads it from standard input. There is no prefix for file names: scripts pass texts of agents, which could
 * name files of this machine.
 */
export function longTextField(
  member: string,
  ...[flags, description]: [flags: string, description: string]
): Field {
  return {
    member,
    flags,
    description: `${description}; - reads standard input`,
    encode: async (given, terminal) =>
      JSON.stringify(given === '-' ? await readFileText('-', terminal) : given),
  };
}

export function numberField(member: string, ...texts: [flags: string, description: string]): Field {
  const { flags, description } = described(texts);
  return { member, flags, description, encode: (given) => encodeNumber(flags, String(given)) };
}

export function flagField(member: string, ...texts: [flags: string, description: string]): Field {
  return { member, ...described(texts), encode: () => 'true' };
}

/** JSON text, sent unchanged. `@<file>` reads it from a file, `-` from standard input. */
export function jsonField(
  member: string,
  ...[flags, description]: [flags: string, description: string]
): Field {
  const next = `a string needs JSON quotes: '"like this"'`;
  return {
    member,
    flags,
    description: `${description}: JSON, @<file> or -`,
    encode: async (given, terminal) => {
      const text = String(given);
      const source = text.startsWith('@') ? { file: text.slice(1) } : { value: text };
      return readJsonText(source, terminal, { next });
    },
  };
}

export function required(field: Field): Field {
  return { ...field, isRequired: true };
}

export function isOption({ flags }: Pick<Field, 'flags'>): boolean {
  return flags.startsWith('--');
}

/** Returns the name under which commander stores a value: `dependsOn` for `--depends-on <task...>`. */
export function keyOf({ flags }: Pick<Field, 'flags'>): string {
  const [, name = flags] = /^(?:--|<|\[)([\w-]+)/.exec(flags) ?? [];
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function described([flags, description]: readonly [string, string]): Texts {
  return { flags, description };
}

function encodeNumber(flags: string, text: string): string {
  if (/^-?\d+(\.\d+)?$/.test(text)) return String(Number(text));
  throw new UsageError(`${flags}: must be a number, not ${JSON.stringify(text)}`);
}
