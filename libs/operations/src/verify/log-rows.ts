import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

const rowsAtOnce = 1_000;
/** A page ends with the event that reaches this: memory is bounded by bytes, not by events. */
const bytesAtOnce = 2 * 1_048_576;

const row = z.object({
  stream_id: z.coerce.string(),
  /** Null if there is no such stream any more. */
  stream: z.string().nullable(),
  version: z.number(),
  event_id: z.string(),
  type: z.string(),
  data: z.string(),
  metadata: z.string(),
});

type LogRow = z.output<typeof row>;

/** Every event as its row says, stream by stream; past whatever hides rows from the store's own reads. */
export async function* readLogRows(db: Kysely<Database>): AsyncGenerator<LogRow[]> {
  for (let after: Pick<LogRow, 'stream_id' | 'version'> = beforeAll; ;) {
    const { rows } = await sql`
      select e.stream_id, s.stream, e.version, e.event_id, e.type, e.data, e.metadata
      from (
        select l.*, sum(l.bytes) over (order by l.stream_id, l.version) - l.bytes as bytes_before
        from (
          select *, octet_length(data) + octet_length(metadata) as bytes from throughline.events
          where (stream_id, version) > (${after.stream_id}::bigint, ${after.version}::integer)
          order by stream_id, version limit ${rowsAtOnce}
        ) l
      ) e left join throughline.streams s on s.stream_id = e.stream_id
      where e.bytes_before < ${bytesAtOnce} order by e.stream_id, e.version`.execute(db);
    const page = rows.map((each) => row.parse(each));
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last;
  }
}

/** The lowest position that is missing below the newest, or null: positions are dense. */
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
  const [found] = rows;
  return found ? z.object({ missing: z.string() }).parse(found).missing : null;
}

const beforeAll = { stream_id: '-9223372036854775808', version: 0 };
