import { type JsonValue } from '#event-sourcing';

import { ExpressionError } from './expression-error.js';
import { memberOf } from './value.js';

/** UTF-16 units of a path as it is written. */
const longest = 256;

const plain = /[^.[\]"\s]+/y;
const quoted = /\["(?:[^"\\]|\\.)*"\]/y;

/**
 * The names of a path into JSON, outermost first: `analyst.outputs.brief` or `analyst.outputs["a.b"]`. Names between
 * dots may hold anything but dots, brackets, quotes and space; in `["..."]` stands any JSON text.
 *
 * Throws {@link ExpressionError} with the position where it first goes wrong.
 */
export function parseDataPath(source: string): readonly string[] {
  if (source.length > longest)
    throw new ExpressionError(`longer than ${longest} characters`, longest);
  const names: string[] = [];
  let at = 0;
  do {
    const { name, end } = nameAt(source, at, names.length === 0);
    names.push(name);
    at = end;
  } while (at < source.length);
  return names;
}

/** What stands at a path; undefined where it leads nowhere. Own members, list indexes and lengths only. */
export function valueAtPath(
  value: JsonValue | undefined,
  names: readonly string[],
): JsonValue | undefined {
  return names.reduce(memberOf, value);
}

/** The one spelling of a path: of two that lead to the same place it is the same. */
export function formatDataPath(names: readonly string[]): string {
  return names
    .map((name, at) =>
      isPlain(name) ? `${at > 0 ? '.' : ''}${name}` : `[${JSON.stringify(name)}]`,
    )
    .join('');
}

function isPlain(name: string): boolean {
  return matchAt(plain, name, 0) === name;
}

function nameAt(source: string, at: number, first: boolean): { name: string; end: number } {
  const inBrackets = matchAt(quoted, source, at);
  if (inBrackets !== undefined)
    return { name: unquoted(inBrackets, at), end: at + inBrackets.length };
  const dot = first ? 0 : 1;
  if (!first && source[at] !== '.') throw new ExpressionError('a dot or ["..."] is expected', at);
  const name = matchAt(plain, source, at + dot);
  if (name === undefined) throw new ExpressionError('a name is expected here', at + dot);
  return { name, end: at + dot + name.length };
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

function unquoted(bracketed: string, at: number): string {
  try {
    return String(JSON.parse(bracketed.slice(1, -1)));
  } catch {
    throw new ExpressionError('what stands in brackets is no JSON text', at);
  }
}
