import { UsageError } from '../cli-error.js';
import { readFileText, readJsonText } from '../json-input.js';
import { type Terminal } from '../terminal.js';

/** The value of an argument or option as commander reads it. */
export type Given = string | readonly string[] | boolean;

/** A member of a body that is given as an argument or, if its flags begin with `--`, as an option. */
export type Field = Readonly<{
  member: string;
  /** As commander writes them. */
  flags: string;
  description: string;
  /** Whether a body without it makes no sense. */
  isRequired?: boolean;
  /** The JSON text of the value. */
  encode: (given: Given, terminal: Terminal) => string | Promise<string>;
}>;

type Texts = Readonly<Pick<Field, 'flags' | 'description'>>;

/** A text, or a list of texts if the flags end in `...>`, as it was typed. */
export function textField(member: string, ...texts: [flags: string, description: string]): Field {
  return { member, ...described(texts), encode: (given) => JSON.stringify(given) };
}

/**
 * A text that may be long: `-` reads it from standard input. No prefix makes it the name of a file: scripts pass texts of agents,
 * which could then name files of this machine.
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

/** Any JSON, sent digit by digit as it was written: `@` and the name of a file reads it from there, `-` from standard input. */
export function jsonField(
  member: string,
  ...[flags, description]: [flags: string, description: string]
): Field {
  const next = `text is JSON in quotes: '"like this"'`;
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

/** The name under which commander keeps the value of an argument or option: `dependsOn` of `--depends-on <task...>`. */
export function keyOf({ flags }: Pick<Field, 'flags'>): string {
  const [, name = flags] = /^(?:--|<|\[)([\w-]+)/.exec(flags) ?? [];
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function described([flags, description]: readonly [string, string]): Texts {
  return { flags, description };
}

function encodeNumber(flags: string, text: string): string {
  if (/^-?\d+(\.\d+)?$/.test(text)) return String(Number(text));
  throw new UsageError(`${flags}: must be a number, and not ${JSON.stringify(text)}`);
}
