import { type JsonValue } from '#event-sourcing';
import { type Item } from '#shared-context';

import { isJsonObject, memberOf } from './json-member.js';

/** The input a context was created with; undefined if it has none or an empty one. */
export function inputOf({ body }: Pick<Item, 'body'>): JsonValue | undefined {
  const input = memberOf(body, 'input');
  return isJsonObject(input) && Object.keys(input).length === 0 ? undefined : input;
}
