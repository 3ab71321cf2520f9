import { type ContextId } from '#shared-context';

import { decodeCursor, encodeCursor, foreignCursor } from '../paging/cursor.js';

/** Versions behind `from` up to `to`. */
export type Range = ContextId & Readonly<{ from: number; to: number }>;

/**
 * Where a comparison goes on: with the events behind `version`, of the first of which `nth` items are compared already.
 * Versions below the beginning of the range are of what was undone in it.
 */
export type ComparisonPosition = Readonly<{ version: number; nth: number }>;

const whole = /^-?\d{1,10}$/;

export function encodeComparisonCursor(
  { from, to }: Range,
  { version, nth }: ComparisonPosition,
): string {
  return encodeCursor([from, to, version, nth].map(String));
}

/** A cursor keeps its range, whatever has happened since the first page. */
export function decodeComparisonCursor(
  cursor: string,
  { workspace, contextId, version: head }: ContextId & Readonly<{ version: number }>,
): Readonly<{ range: Range; place: ComparisonPosition }> {
  const parts = decodeCursor(cursor, 4);
  if (!parts.every((text) => whole.test(text))) throw foreignCursor();
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
