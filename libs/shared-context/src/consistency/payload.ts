import { type JsonValue, isJsonObject } from '#event-sourcing';

import { member } from '../json.js';

/** An own member of a payload; undefined if the payload lacks it or is not an object. */
export function memberOf(payload: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(payload) ? member(payload, name) : undefined;
}

/** The strings in a list; empty if the value is not a list. */
export function textsIn(list: JsonValue | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((value) => typeof value === 'string') : [];
}
