import { type ContextId } from '#shared-context';

import { decodeCursor, encodeCursor, foreignCursor } from '../paging/cursor.js';

/** The versions after `from` up to `to`. */
export type Range = ContextId & Readonly<{ from: number; to: number }>;

/**
 * The position at which a comparison continues: with the events after `version`, of whose first event `nth` items are
 * already compared. Versions before the range belong to events that the range undid.
 */
export type ComparisonPosition = Readonly<{ version: number; nth: number }>;

const integer = /^-?\d{1,10}$/;

export function encodeComparisonCursor(
  { from, to }: Range,
  { version, nth }: ComparisonPosition,
): string {
  return encodeCursor([from, to, version, nth].map(String));
}

/** A cursor contains its range, so that events after the first page do not change it. */
export function decodeComparisonCursor(
  cursor: string,
  { workspace, contextId, version: head }: ContextId & Readonly<{ version: number }>,
): Readonly<{ range: Range; place: ComparisonPosition }> {
  const parts = decodeCursor(cursor, 4);
  if (!parts.every((text) => integer.test(text))) throw foreignCursor();
  const [from = 0, to = 0, version = 0, nth = 0] = parts.map(Number);
  if (
    ![
      [0, from, to, head],
      [version, to],
      [0, nth],
    ].every(isRising)
  )
    throw foreignCursor();
  return { range: { workspace, contextId, from, to }, place: { version, nth } };
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => number >= (numbers[at - 1] ?? -Infinity));
}
