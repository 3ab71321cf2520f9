import { z } from 'zod';

import { type InboxPosition } from '#read-models';

import { foreignCursor } from './cursor.js';

/** Excludes NUL and lone surrogates, which the database refuses. */
const part = z
  .string()
  .max(4_000)
  .refine((text) => text.isWellFormed() && !text.includes('\0'));
const positionSchema = z.tuple([z.int().min(0).max(3), part, part, part, part]);

export function encodeInboxCursor({
  priority,
  openedAt,
  contextId,
  kind,
  key,
}: InboxPosition): string {
  const parts = [priority, openedAt, contextId, kind, key];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

export function decodeInboxCursor(cursor: string | undefined): InboxPosition | undefined {
  if (cursor === undefined) return undefined;
  const parsed = positionSchema.safeParse(jsonIn(cursor));
  if (!parsed.success) throw foreignCursor();
  const [priority, openedAt, contextId, kind, key] = parsed.data;
  return { priority, openedAt, contextId, kind, key };
}

function jsonIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw foreignCursor();
  }
}
