import { type RawBuilder, sql } from 'kysely';

import { type Position } from '#event-sourcing';

/**
 * The payload of an item is mostly the payload of the event that made it. A row refers to the event if the log is in the same
 * database and the payload has more bytes than this: below, a second copy costs less than the look-up.
 */
export const minReferencedBytes = 1_024;

/** Marks the position of an event that is not there, in place of a payload. No JSON begins with it. */
const missing = '!';

/**
 * The payload of the item row `i`, as JSON text for {@link presentBody}; null if it has none. The event of a reference is
 * compared by version and size, in case the log was replaced.
 */
export const bodyOf = sql`
  case when i.body_position is null then i.body
    else coalesce(
      (select e.data from throughline.events e
       where e.position = i.body_position and e.version = i.from_version and octet_length(e.data) = i.body_bytes),
      ${sql.lit(missing)} || i.body_position) end`;

/** The bytes of that text, null if there is none. Reads no payload: a stored text's length is known without reading it. */
export const bodyBytesOf = sql`
  case when i.body_position is null then octet_length(i.body) else i.body_bytes end`;

/** A row refers to an event that the log does not have: the log was replaced under its read models. */
export class MissingPayloadError extends Error {
  constructor(position: string) {
    super(
      `the log has no event at position ${position} with the payload that a row refers to: run "throughline audit", then rebuild the read models`,
    );
    this.name = 'MissingPayloadError';
  }
}

/** The text of {@link bodyOf}. Throws {@link MissingPayloadError}. */
export function presentBody(text: string): string {
  if (text.startsWith(missing)) throw new MissingPayloadError(text.slice(missing.length));
  return text;
}

/** Positions in PostgreSQL are numbers. Those of KurrentDB are not. */
const numericPosition = /^\d{1,18}$/;

/** The position of the event that may have this payload, for {@link referredBody}; null if the row holds it in any case. */
export function referredPosition(position: Position, body: string | null): Position | null {
  if (body === null || Buffer.byteLength(body) <= minReferencedBytes) return null;
  return numericPosition.test(position) ? position : null;
}

/**
 * Finds the event `e` at the position of the row `a`, which is to be stored, if the event's payload is that of the row, byte
 * for byte. So a reference is right whatever the fold does, and whatever schema version the event has.
 */
export const joinedEvent: RawBuilder<unknown> = sql`
  left join lateral (
    select e.position from throughline.events e
    where e.position = a.position::bigint and e.version = a.from_version and e.data = a.body) e on true`;

/** The columns `body`, `body_position` and `body_bytes` for the row `a` beside {@link joinedEvent}. */
export const referredBody = sql`
  case when e.position is null then a.body end, e.position,
  case when e.position is not null then octet_length(a.body) end`;
