import { type JsonValue, isJsonObject } from '#event-sourcing';

import { member } from '../json.js';

/** An own member of a payload; undefined if it has none, or is no object. */
export function memberOf(payload: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(payload) ? member(payload, name) : undefined;
}

/** The texts in a list; of anything else nothing. */
export function textsIn(list: JsonValue | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((value) => typeof value === 'string') : [];
}
