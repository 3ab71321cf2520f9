import { z } from 'zod';

import { InvalidInputError } from '../errors.js';

/** Nothing a cursor holds needs more: times, ids, versions. Databases take no control characters. */
const part = z.string().regex(/^[\x20-\x7e]{1,256}$/);

/** A cursor is opaque to callers: where the last page ended, as base64url of a JSON array of strings. */
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

/** The cursor of a list that is ordered by version. */
export function decodeVersion(cursor: string): number {
  return decodeVersions(cursor, 1)[0] ?? 0;
}

/** The cursor of a list that shows what a fork inherited: these are of versions below 1. */
export function decodeInheritedVersion(cursor: string): number {
  const [text = ''] = decodeCursor(cursor, 1);
  if (!/^-?\d{1,9}$/.test(text)) throw foreignCursor();
  return Number(text);
}

/** A cursor of so many versions. */
function decodeVersions(cursor: string, length: number): number[] {
  const parts = decodeCursor(cursor, length);
  if (!parts.every((text) => /^\d{1,9}$/.test(text))) throw foreignCursor();
  return parts.map(Number);
}

/** Page numbers as cursors: the items are of one context, in memory, in a fixed order. */
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
  const detail = 'is not a cursor of this list: pass back nextCursor as it was given';
  return new InvalidInputError([{ pointer: '/cursor', detail }]);
}

function offsetOf(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{1,9}$/.test(text)) throw foreignCursor();
  return Number(text);
}
