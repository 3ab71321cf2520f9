import { z } from 'zod';

import { type RunListPosition } from '#read-models';

import { foreignCursor } from '../paging/cursor.js';

const textPart = z
  .string()
  .max(4_000)
  .refine((text) => text.isWellFormed() && !text.includes('\0'));
const positionSchema = z.tuple([z.int().min(0).max(4), textPart, textPart]);

export function encodeRunCursor({ rank, startedAt, contextId }: RunListPosition): string {
  return Buffer.from(JSON.stringify([rank, startedAt, contextId])).toString('base64url');
}

/** Throws InvalidInputError if the cursor belongs to another list. */
export function decodeRunCursor(cursor: string | undefined): RunListPosition | undefined {
  if (cursor === undefined) return undefined;
  const parsed = positionSchema.safeParse(jsonIn(cursor));
  if (!parsed.success) throw foreignCursor();
  const [rank, startedAt, contextId] = parsed.data;
  return { rank, startedAt, contextId };
}

function jsonIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw foreignCursor();
  }
}
