import { type JsonValue } from '#event-sourcing';
import { valueAtPath } from '#expressions';

/**
 * What a name stands for. `isOwn`: the caller says it himself; anything else was written by others. `members` are found
 * before those of the value, and are gone through by no loop.
 */
export type Named = Readonly<{
  value: JsonValue | undefined;
  isOwn: boolean;
  members?: ReadonlyMap<string, Named> | undefined;
}>;

/** What a template is rendered over, by name. */
export type TemplateData = ReadonlyMap<string, Named>;

/** What a path has led to, and the path itself from the outermost scope on. */
export type Found = Named & Readonly<{ path: readonly string[] }>;

/** Own members, places of lists and lengths only; undefined stands where nothing is. */
export function findMember(found: Found, name: string): Found {
  const path = [...found.path, name];
  const named = found.members?.get(name);
  if (named) return { ...named, path };
  return { value: valueAtPath(found.value, [name]), isOwn: found.isOwn, path };
}

export function findNames(from: Found, names: readonly string[]): Found {
  return names.reduce(findMember, from);
}

/** What a path names before anything is rendered; undefined where nothing stands. */
export function valueIn(data: TemplateData, names: readonly string[]): JsonValue | undefined {
  return findNames(wholeOf(data), names).value;
}

/** The outermost scope. */
export function wholeOf(data: TemplateData): Found {
  return { value: undefined, isOwn: true, members: data, path: [] };
}
