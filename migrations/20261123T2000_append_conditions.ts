import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.

/** An append can depend on a counter: it is compared behind the lock of the log, in the statement that appends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createCounters(db);
  await countTransformations(db);
  await createAppendEventsIf(db);
  await createAppendBatchIf(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function throughline.append_batch_if, throughline.append_events_if`.execute(db);
  await sql`drop trigger count_versions on throughline.transformation_versions`.execute(db);
  await sql`drop function throughline.count_transformation`.execute(db);
  await sql`drop table throughline.counters`.execute(db);
}

async function createCounters(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.counters (
      name text collate "C" primary key,
      value integer not null
    )`.execute(db);
  await sql`comment on table throughline.counters is 'numbers that only grow, which an append can depend on; a missing row means 0'`.execute(
    db,
  );
}

/** By a trigger, so that processes of the release before count, too. It is made first: no version is missed. */
async function countTransformations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function throughline.count_transformation() returns trigger language plpgsql as $$
    begin
      insert into throughline.counters as c (name, value) values ('transformations ' || new.workspace, 1)
      on conflict (name) do update set value = c.value + 1;
      return null;
    end
    $$`.execute(db);
  await sql`
    create trigger count_versions after insert on throughline.transformation_versions
    for each row execute function throughline.count_transformation()`.execute(db);
  await sql`
    insert into throughline.counters (name, value)
    select 'transformations ' || workspace, count(*) from throughline.transformation_versions
    group by workspace`.execute(db);
}

/** As append_events, which it calls; null also if the counter has another value. The counter with the empty name is always 0. */
async function createAppendEventsIf(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function throughline.append_events_if(
      stream_name text,
      expected integer,
      event_ids uuid[],
      event_types text[],
      event_data text[],
      event_metadata text[],
      counter_name text,
      counter_value integer
    ) returns bigint
    language plpgsql
    set enable_seqscan = off
    set plan_cache_mode = force_generic_plan
    as $$
    begin
      perform throughline.lock_log();
      if coalesce((select c.value from throughline.counters c where c.name = counter_name), 0) <> counter_value then
        return null;
      end if;
      return throughline.append_events(stream_name, expected, event_ids, event_types, event_data, event_metadata);
    end
    $$`.execute(db);
}

/**
 * As append_batch, which it calls. An append whose counter has another value is not stored now: it is refused with the
 * version of its stream (outcome 1). If the stream has grown beyond the version that it names, it may have been stored
 * before: append_batch judges that, with the next batch (outcome 2) if the stream may have grown in this one. is_repeat: the
 * outcome is 0, and the events were stored by an earlier call.
 */
async function createAppendBatchIf(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function throughline.append_batch_if(
      stream_names text[],
      append_streams integer[],
      append_expected integer[],
      append_counts integer[],
      event_appends integer[],
      event_ids uuid[],
      event_types text[],
      event_data text[],
      event_metadata text[],
      append_counters text[], -- per append: the name of the counter it depends on, '' for none
      append_values integer[] -- per append: the value that this counter must have, 0 for none
    ) returns table (outcome integer, last_version integer, last_position bigint, is_repeat boolean)
    language plpgsql
    set enable_seqscan = off
    set plan_cache_mode = force_generic_plan
    as $$
    #variable_conflict use_column
    declare
      head bigint;
      refused boolean[];
      expected integer[];
    begin
      perform throughline.lock_log();
      select coalesce(max(position), 0) into head from throughline.events;
      select
        array_agg(a.is_refused order by a.i),
        array_agg(case when a.is_refused then 2147483647 else a.expected end order by a.i)
      into refused, expected
      from (
        select p.i, p.expected, case
          when coalesce((select c.value from throughline.counters c where c.name = p.counter), 0) = p.value then false
          when p.expected < 0 then true
          else p.expected >= coalesce((
            select max(e.version) from throughline.events e
            where e.stream_id = (select s.stream_id from throughline.streams s where s.stream = stream_names[p.stream])
          ), 0)
        end as is_refused
        from unnest(append_expected, append_streams, append_counters, append_values)
          with ordinality p (expected, stream, counter, value, i)
      ) a;
      return query
      select
        case when refused[b.i::int] and append_streams[b.i::int] = any (append_streams[1:b.i::int - 1]) then 2 else b.outcome end,
        b.last_version,
        b.last_position,
        coalesce(b.outcome = 0 and b.last_position <= head, false)
      from throughline.append_batch(
        stream_names, append_streams, expected, append_counts, event_appends,
        event_ids, event_types, event_data, event_metadata)
        with ordinality b (outcome, last_version, last_position, i)
      order by b.i;
    end
    $$`.execute(db);
}
