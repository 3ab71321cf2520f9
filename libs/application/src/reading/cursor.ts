import { z } from 'zod';

import { InvalidInputError } from '../errors.js';

/** A cursor is opaque to callers: where the last page ended, as base64url of a JSON array of strings. */
export function encodeCursor(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

export function decodeCursor(cursor: string, length: number): string[] {
  try {
    return z
      .array(z.string())
      .length(length)
      .parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new InvalidInputError([
      {
        pointer: '/cursor',
        detail: 'is not a cursor of this list: pass back nextCursor as it was given',
      },
    ]);
  }
}

/** The cursor of a list that is ordered by version. */
export function decodeVersion(cursor: string): number {
  const version = Number(decodeCursor(cursor, 1)[0]);
  return Number.isSafeInteger(version) && version >= 0 ? version : 0;
}
