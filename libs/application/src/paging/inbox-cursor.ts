import { z } from 'zod';

import { type InboxPosition } from '#read-models';

import { foreignCursor } from './cursor.js';

/** Databases take neither NUL nor lone surrogates; keys are as their column holds them. */
const part = z
  .string()
  .max(4_000)
  .refine((text) => text.isWellFormed() && !text.includes('\0'));
const place = z.tuple([z.int().min(0).max(3), part, part, part, part]);

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
  const parsed = place.safeParse(jsonIn(cursor));
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
