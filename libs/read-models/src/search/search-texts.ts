import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';

import { searchedMember } from './searched-members.js';

/** The format of times in items; they are not indexed as words. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * The texts of a part of a document that are indexed for full-text search: its strings, the names of map entries, and
 * for free JSON also its numbers and names.
 */
export function* searchTexts(fragment: JsonObject): Generator<string> {
  for (const [name, value] of Object.entries(fragment)) {
    const member = searchedMember(name);
    if (member?.named) yield* freeTexts(value);
    else if (member?.shape === 'map') yield* entryTexts(value);
    else yield* ownTexts(value);
  }
}

function* freeTexts(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (isJsonArray(value)) for (const element of value) yield* freeTexts(element);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      yield name;
      yield* freeTexts(inner);
    }
}

function* entryTexts(value: JsonValue): Generator<string> {
  for (const [name, entry] of Object.entries(isJsonObject(value) ? value : {})) {
    yield name;
    yield* ownTexts(entry);
  }
}

function* ownTexts(value: JsonValue): Generator<string> {
  if (typeof value === 'string' && !timestamp.test(value)) yield value;
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* ownTexts(inner);
}
