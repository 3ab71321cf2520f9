import { z } from 'zod';

/** Options of every list. */
export const pageOptions = [
  ['--limit <n>', 'maximum number of items (default 50, at most 500)'],
  ['--cursor <cursor>', 'continue after the previous page'],
] as const;

export const pageInput = z.object({ limit: z.string().optional(), cursor: z.string().optional() });

/** The option of a list that restricts it to one context. */
export const contextOption = ['--context <context>', 'only this context'] as const;

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.looseObject({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** Appends the option for the next page, if there is one. */
export function withNext(table: string, nextCursor: string | null): string {
  return nextCursor === null ? table : `${table}\n\nmore: --cursor ${nextCursor}`;
}
