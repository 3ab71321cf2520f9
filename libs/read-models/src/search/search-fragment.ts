import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';
import { type Item, type SearchedMember, renderDocument } from '#shared-context';

import { searchedMembers } from './searched-members.js';

const emptyFacts = {
  workspace: '',
  contextId: '',
  version: 0,
  lastModifiedAt: '',
  lastModifiedBy: '',
  size: { events: 0, bytes: 0, tokens: 0 },
};

/**
 * The searched part of a document that comes from one item, in the shape of the document; undefined if there is none.
 * Together, the parts of all items contain everything that is searched of a document.
 */
export function searchFragment(item: Item): JsonObject | undefined {
  const document = renderDocument([item], emptyFacts);
  const parts = Object.entries(searchedMembers).flatMap(([name, member]): [string, JsonValue][] => {
    const value = document[name];
    if (value === undefined || !comesFrom(item, member, value)) return [];
    return [[name, withoutExcluded(value, member)]];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

function comesFrom({ kind }: Item, { shape }: SearchedMember, value: JsonValue): boolean {
  if (shape === 'creation' || shape === 'life') return kind === shape;
  return shape === 'lists' ? Object.values(value ?? {}).some(hasEntries) : hasEntries(value);
}

function hasEntries(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function withoutExcluded(value: JsonValue, { except = [] }: SearchedMember): JsonValue {
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
