import { validate } from 'uuid';

import { decodeCursor, foreignCursor } from '../paging/cursor.js';

/** Where a page of a list by time ended; times and ids reach the database as what they are, or not at all. */
export function decodeJobCursor(cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const [time = '', id = ''] = decodeCursor(cursor, 2);
  if (!validate(id) || Number.isNaN(Date.parse(time))) throw foreignCursor();
  return { time: new Date(time).toISOString(), id };
}
