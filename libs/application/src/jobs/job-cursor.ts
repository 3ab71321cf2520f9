import { validate } from 'uuid';

import { decodeCursor, foreignCursor } from '../paging/cursor.js';

/** The end of a page of a list by time. Throws InvalidInputError unless the cursor contains a valid time and UUID. */
export function decodeJobCursor(cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const [time = '', id = ''] = decodeCursor(cursor, 2);
  if (!validate(id) || Number.isNaN(Date.parse(time))) throw foreignCursor();
  return { time: new Date(time).toISOString(), id };
}
