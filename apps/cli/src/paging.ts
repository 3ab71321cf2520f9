import { z } from 'zod';

/** Options of every list. */
export const pageOptions = [
  ['--limit <n>', 'at most so many (default 50, at most 500)'],
  ['--cursor <cursor>', 'carry on where the last page ended'],
] as const;

export const pageInput = z.object({ limit: z.string().optional(), cursor: z.string().optional() });

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.looseObject({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** Says how to see the rest. */
export function withNext(table: string, nextCursor: string | null): string {
  return nextCursor === null ? table : `${table}\n\nmore: --cursor ${nextCursor}`;
}
