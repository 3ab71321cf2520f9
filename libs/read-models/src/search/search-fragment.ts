import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';
import { type Item, type SearchedMember, renderDocument } from '#shared-context';

import { searchedMembers } from './searched-members.js';

const nowhere = {
  workspace: '',
  contextId: '',
  version: 0,
  lastModifiedAt: '',
  lastModifiedBy: '',
  size: { events: 0, bytes: 0, tokens: 0 },
};

/**
 * The part of a document that one item makes, in the document's own shape, as far as it is searched; undefined where
 * that is nothing. The document contains what its items' parts contain between them.
 */
export function searchFragment(item: Item): JsonObject | undefined {
  const document = renderDocument([item], nowhere);
  const parts = Object.entries(searchedMembers).flatMap(([name, member]): [string, JsonValue][] => {
    const value = document[name];
    if (value === undefined || !isOf(item, member, value)) return [];
    return [[name, withoutForeign(value, member)]];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

function isOf({ kind }: Item, { shape }: SearchedMember, value: JsonValue): boolean {
  if (shape === 'creation' || shape === 'life') return kind === shape;
  return shape === 'lists' ? Object.values(value ?? {}).some(hasEntries) : hasEntries(value);
}

function hasEntries(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function withoutForeign(value: JsonValue, { except = [] }: SearchedMember): JsonValue {
  if (except.length === 0) return value;
  if (isJsonArray(value)) return value.map((entry) => omit(entry, except));
  return Object.fromEntries(
    Object.entries(isJsonObject(value) ? value : {}).map(([name, entry]) => [
      name,
      omit(entry, except),
    ]),
  );
}

function omit(entry: JsonValue, names: readonly string[]): JsonValue {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));
}
