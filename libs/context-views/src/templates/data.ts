import { type JsonValue } from '#event-sourcing';
import { memberOf } from '#expressions';

import { Path } from './path.js';

/**
 * The value of a name. `isOwn`: whether the caller wrote it; others wrote any other value. `members` take precedence
 * over members of the value and are not part of any loop. `source`: the names of the path that a fence shows, if this
 * is not the path by which the template names the value.
 */
export type NamedValue = Readonly<{
  value: JsonValue | undefined;
  isOwn: boolean;
  members?: ReadonlyMap<string, NamedValue> | undefined;
  source?: readonly string[] | undefined;
}>;

/** The data of a template, by name. */
export type TemplateData = ReadonlyMap<string, NamedValue>;

/** The value that a path leads to, and the path itself from the outermost scope on. */
export type FoundValue = NamedValue & Readonly<{ path: Path }>;

/** Finds own members, elements of lists and lengths only; the value is undefined if there is none. */
export function findNames(from: FoundValue, names: readonly (string | number)[]): FoundValue {
  if (names.length === 0) return from;
  let { value, isOwn, members, path } = from;
  let place = 0;
  for (const [at, name] of names.entries()) {
    const named = members?.get(String(name));
    if (named) ({ value, isOwn } = named);
    else value = memberOf(value, name);
    members = named?.members;
    if (named?.source) [path, place] = [Path.outermost.with(named.source), at + 1];
  }
  return { value, isOwn, members, path: path.with(names.slice(place)) };
}

/** The value of a path before anything is rendered; undefined if there is none. */
export function valueIn(data: TemplateData, names: readonly string[]): JsonValue | undefined {
  return findNames(wholeOf(data), names).value;
}

/** The outermost scope. */
export function wholeOf(data: TemplateData): FoundValue {
  return { value: undefined, isOwn: true, members: data, path: Path.outermost };
}
