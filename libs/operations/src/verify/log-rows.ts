import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

const maxRows = 1_000;
/** A page ends with the event that reaches this size, so that memory is bounded. */
const maxBytes = 2 * 1_048_576;

const row = z.object({
  stream_id: z.coerce.string(),
  /** Null if the row of the stream is missing. */
  stream: z.string().nullable(),
  version: z.number(),
  event_id: z.string(),
  type: z.string(),
  data: z.string(),
  metadata: z.string(),
});

type LogRow = z.output<typeof row>;

/** Reads every event row, stream by stream, including rows that reads of the store do not return. */
export async function* readLogRows(db: Kysely<Database>): AsyncGenerator<LogRow[]> {
  for (let after: Pick<LogRow, 'stream_id' | 'version'> = beforeAll; ;) {
    const { rows } = await sql`
      select e.stream_id, s.stream, e.version, e.event_id, e.type, e.data, e.metadata
      from (
        select l.*, sum(l.bytes) over (order by l.stream_id, l.version) - l.bytes as bytes_before
        from (
          select *, octet_length(data) + octet_length(metadata) as bytes from throughline.events
          where (stream_id, version) > (${after.stream_id}::bigint, ${after.version}::integer)
          order by stream_id, version limit ${maxRows}
        ) l
      ) e left join throughline.streams s on s.stream_id = e.stream_id
      where e.bytes_before < ${maxBytes} order by e.stream_id, e.version`.execute(db);
    const page = rows.map((each) => row.parse(each));
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last;
  }
}

/** The lowest missing position below the newest one, or null. Positions have no gaps in an intact log. */
export async function findMissingPosition(db: Kysely<Database>): Promise<string | null> {
  const { rows } = await sql`
    with log as (select count(*) as events, coalesce(max(position), 0) as last from throughline.events)
    select (
      select least(
        (select 1 where not exists (select from throughline.events where position = 1)),
        (select min(e.position) + 1 from throughline.events e
          where not exists (select from throughline.events n where n.position = e.position + 1)))
    )::text as missing
    from log where log.events <> log.last`.execute(db);
  const [lowest] = rows;
  return lowest ? z.object({ missing: z.string() }).parse(lowest).missing : null;
}

const beforeAll = { stream_id: '-9223372036854775808', version: 0 };
