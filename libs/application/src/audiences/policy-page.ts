import { decodeCursor, encodeCursor } from '../paging/cursor.js';
import { type Page, type PageRequest } from '../paging/page.js';

/** An audience with the size of its current policy, as it is stored. */
export type SizedAudience = Readonly<{ audience: string; bytes: number }>;

/** Bytes of policies on one page: indexing half a mebibyte takes 0.1 s of processor time. */
const maxBytes = 512 * 1024;

/** A page of audiences, sorted by name. It has at least one audience, and as many as `limit` and the size of a page allow. */
export function pageOfAudiences(
  audiences: readonly SizedAudience[],
  { cursor, limit }: PageRequest,
): Page<string> {
  const [after = ''] = cursor === undefined ? [] : decodeCursor(cursor, 1);
  const remaining = audiences
    .filter(({ audience }) => audience > after)
    .toSorted((left, right) => (left.audience < right.audience ? -1 : 1));
  const count = Math.min(limit, countWithin(remaining));
  const items = remaining.slice(0, count).map(({ audience }) => audience);
  const last = items.at(-1);
  const hasMore = last !== undefined && count < remaining.length;
  return { items, nextCursor: hasMore ? encodeCursor([last]) : null };
}

/** The number of policies that fit into a page. */
function countWithin(audiences: readonly SizedAudience[]): number {
  let total = 0;
  const tooMany = audiences.findIndex(({ bytes }) => (total += bytes) > maxBytes);
  return tooMany === -1 ? audiences.length : Math.max(1, tooMany);
}
