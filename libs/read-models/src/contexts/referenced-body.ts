import { type RawBuilder, sql } from 'kysely';

import { type Position } from '#event-sourcing';

/**
 * The payload of an item is usually the payload of the event that set it. A row refers to the event if the log is in
 * the same database and the payload has more bytes than this; for a smaller payload, a second copy costs less than the
 * lookup.
 */
export const minReferencedBytes = 1_024;

/** Marks a reference to a missing event; the position follows. No JSON text begins with it. */
const missing = '!';

/**
 * The payload of the item row `i`, as JSON text for {@link presentBody}; null if it has none. Also compares version and
 * size of the referenced event, in case the log was replaced.
 */
export const bodyOf = sql`
  case when i.body_position is null then i.body
    else coalesce(
      (select e.data from throughline.events e
       where e.position = i.body_position and e.version = i.from_version and octet_length(e.data) = i.body_bytes),
      ${sql.lit(missing)} || i.body_position) end`;

/** The bytes of that text; null if there is none. Reads no payload: PostgreSQL knows the length of a stored text. */
export const bodyBytesOf = sql`
  case when i.body_position is null then octet_length(i.body) else i.body_bytes end`;

/** A row refers to an event that the log does not have, because the log was replaced and the read models were not. */
export class MissingPayloadError extends Error {
  constructor(position: string) {
    super(
      `the log has no event at position ${position} with the payload that a row refers to: run "throughline audit", then rebuild the read models`,
    );
    this.name = 'MissingPayloadError';
  }
}

/** Returns the text of {@link bodyOf}. Throws {@link MissingPayloadError} if the event is missing. */
export function presentBody(text: string): string {
  if (text.startsWith(missing)) throw new MissingPayloadError(text.slice(missing.length));
  return text;
}

/** Positions in PostgreSQL are numbers; positions in KurrentDB are not. */
const numericPosition = /^\d{1,18}$/;

/** The position of the event that may hold this payload, for {@link referredBody}; null if the row must hold it. */
export function referredPosition(position: Position, body: string | null): Position | null {
  if (body === null || Buffer.byteLength(body) <= minReferencedBytes) return null;
  return numericPosition.test(position) ? position : null;
}

/**
 * Finds the event `e` at the position of the new row `a` if the event's payload equals the row's, byte for byte. A
 * reference is therefore correct regardless of the fold and of the schema version of the event.
 */
export const joinedEvent: RawBuilder<unknown> = sql`
  left join lateral (
    select e.position from throughline.events e
    where e.position = a.position::bigint and e.version = a.from_version and e.data = a.body) e on true`;

/** The columns `body`, `body_position` and `body_bytes` of the row `a`, used with {@link joinedEvent}. */
export const referredBody = sql`
  case when e.position is null then a.body end, e.position,
  case when e.position is not null then octet_length(a.body) end`;
