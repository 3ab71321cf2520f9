import { type JsonValue } from '#event-sourcing';
import { memberOf } from '#expressions';

import { Path } from './path.js';

/**
 * What a name stands for. `isOwn`: the caller says it himself; anything else was written by others. `members` are found
 * before those of the value, and are gone through by no loop. `source`: the names of the path that a fence shows, if it is not
 * the path by which the template names the value.
 */
export type NamedValue = Readonly<{
  value: JsonValue | undefined;
  isOwn: boolean;
  members?: ReadonlyMap<string, NamedValue> | undefined;
  source?: readonly string[] | undefined;
}>;

/** What a template is rendered over, by name. */
export type TemplateData = ReadonlyMap<string, NamedValue>;

/** What a path has led to, and the path itself from the outermost scope on. */
export type FoundValue = NamedValue & Readonly<{ path: Path }>;

/** Own members, places of lists and lengths only; undefined stands where nothing is. */
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

/** What a path names before anything is rendered; undefined if nothing stands. */
export function valueIn(data: TemplateData, names: readonly string[]): JsonValue | undefined {
  return findNames(wholeOf(data), names).value;
}

/** The outermost scope. */
export function wholeOf(data: TemplateData): FoundValue {
  return { value: undefined, isOwn: true, members: data, path: Path.outermost };
}
