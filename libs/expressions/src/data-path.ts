import { type JsonValue, readDataPath } from '#event-sourcing';

import { ExpressionError } from './expression-error.js';
import { memberOf } from './value.js';

/** The names of a path into JSON. Throws {@link ExpressionError} with the position of the first fault. */
export function parseDataPath(source: string): readonly string[] {
  const read = readDataPath(source);
  if ('reason' in read) throw new ExpressionError(read.reason, read.position);
  return read.names;
}

/** The value at a path; undefined if there is none. Follows own members, list indexes and lengths only. */
export function valueAtPath(
  value: JsonValue | undefined,
  names: readonly string[],
): JsonValue | undefined {
  return names.reduce(memberOf, value);
}
