import { z } from 'zod';

import { InvalidInputError } from '../errors.js';

/** Enough for times, ids and versions. Excludes control characters, because databases refuse some of them. */
const part = z.string().regex(/^[\x20-\x7e]{1,256}$/);

/** Encodes the end of a page as base64url of a JSON array of strings; callers must treat it as opaque. */
export function encodeCursor(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

export function decodeCursor(cursor: string, length: number): string[] {
  try {
    return z
      .array(part)
      .length(length)
      .parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw foreignCursor();
  }
}

/** Decodes the cursor of a list that is ordered by version. */
export function decodeVersion(cursor: string): number {
  return decodeVersions(cursor, 1)[0] ?? 0;
}

/** Decodes the cursor of a list that includes inherited entries of a fork: these have versions below 1. */
export function decodeInheritedVersion(cursor: string): number {
  const [text = ''] = decodeCursor(cursor, 1);
  if (!/^-?\d{1,9}$/.test(text)) throw foreignCursor();
  return Number(text);
}

/** Decodes a cursor of `length` versions. */
function decodeVersions(cursor: string, length: number): number[] {
  const parts = decodeCursor(cursor, length);
  if (!parts.every((text) => /^\d{1,9}$/.test(text))) throw foreignCursor();
  return parts.map(Number);
}

/** Returns a page of items that are in memory in a fixed order; the cursor is an offset. */
export function pageOf<Item>(
  items: readonly Item[],
  { cursor, limit }: Readonly<{ cursor?: string | undefined; limit: number }>,
): Readonly<{ items: readonly Item[]; nextCursor: string | null }> {
  const from = cursor === undefined ? 0 : offsetOf(cursor);
  const end = from + limit;
  return {
    items: items.slice(from, end),
    nextCursor: end < items.length ? Buffer.from(String(end)).toString('base64url') : null,
  };
}

export function foreignCursor(): InvalidInputError {
  const detail = 'is not a cursor of this list: pass nextCursor unchanged';
  return new InvalidInputError([{ pointer: '/cursor', detail }]);
}

function offsetOf(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{1,9}$/.test(text)) throw foreignCursor();
  return Number(text);
}
