import { type RawBuilder, sql } from 'kysely';

import { type Position } from '#event-sourcing';

/**
 * The payload of an item is mostly the payload of the event that made it. A row refers to the event if the log is in the same
 * database and the payload has more bytes than this: below, a second copy costs less than the look-up.
 */
export const leastReferencedBytes = 1_024;

/** The payload of the item row `i`, as JSON text; null if it has none. */
export const bodyOf = sql`
  case when i.body_position is null then i.body
    else (select e.data from throughline.events e where e.position = i.body_position) end`;

/** The bytes of that text, null if there is none. Reads no payload: a stored text's length is known without reading it. */
export const bodyBytesOf = sql`coalesce(i.body_bytes, octet_length(i.body))`;

/** What two rows have in common if their payloads are the same, within one database. */
export const storedBody = sql`i.body, i.body_position, i.body_bytes`;

/** Positions in PostgreSQL are numbers. Those of other stores are not, and their events are elsewhere. */
const number = /^\d{1,18}$/;

/** The position of the event that may have this payload, for {@link referredBody}; null if the row holds it in any case. */
export function referredPosition(position: Position, body: string | null): Position | null {
  if (body === null || Buffer.byteLength(body) <= leastReferencedBytes) return null;
  return number.test(position) ? position : null;
}

/**
 * Finds the event `e` at the position of the row `a`, which is to be stored, if the event's payload is that of the row, letter
 * for letter. The comparison is what makes a reference safe: neither the fold nor the version of the event has to be known.
 */
export const joinedEvent: RawBuilder<unknown> = sql`
  left join lateral (
    select e.position from throughline.events e where e.position = a.position::bigint and e.data = a.body) e on true`;

/** The columns of {@link storedBody} for the row `a` beside {@link joinedEvent}. */
export const referredBody = sql`
  case when e.position is null then a.body end, e.position,
  case when e.position is not null then octet_length(a.body) end`;
