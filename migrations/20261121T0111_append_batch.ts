import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.

/** Spells "thruline". Advisory locks belong to one database. */
const lockKey = sql.lit('8388080154633137765');

/**
 * Whoever appends holds the one lock of the log from judging versions to the end of the commit. So positions are
 * dense and become readable in their order, no version is judged on what another is about to change, and nobody waits
 * in a circle. It is paid once per batch, and a batch is one autocommitted statement. Each statement behind the lock
 * sees what was committed before it only in READ COMMITTED.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function throughline.lock_log() returns void language plpgsql as $$
    begin
      if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'events are appended in READ COMMITTED, not in %', current_setting('transaction_isolation')
          using errcode = 'feature_not_supported';
      end if;
      perform pg_advisory_xact_lock(${lockKey}::bigint);
    end
    $$`.execute(db);
  await createAppendEvents(db);
  await createAppendBatch(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function throughline.append_batch, throughline.append_events, throughline.lock_log`.execute(
    db,
  );
}

/**
 * Stores one append that meets its expected version (0: no stream), the commonest of all, without the bookkeeping
 * of a batch: the position of its last event, or null where the version is another and append_batch has to judge.
 *
 * Sequential scans are off, here and below, because a plan made while the tables were small would be kept when they
 * no longer are.
 */
async function createAppendEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function throughline.append_events(
      stream_name text,
      expected integer,
      event_ids uuid[],
      event_types text[],
      event_data text[],
      event_metadata text[]
    ) returns bigint
    language plpgsql
    set enable_seqscan = off
    set plan_cache_mode = force_generic_plan
    as $$
    declare
      n constant integer := cardinality(event_ids);
      owner bigint;
      head integer;
      base bigint;
    begin
      perform throughline.lock_log();
      select s.stream_id,
        (select max(e.version) from throughline.events e where e.stream_id = s.stream_id)
      into owner, head
      from throughline.streams s where s.stream = stream_name;
      if coalesce(head, 0) <> expected then
        return null;
      end if;
      if owner is null then
        insert into throughline.streams (stream) values (stream_name) returning stream_id into owner;
      end if;

      select coalesce(max(position), 0) into base from throughline.events;
      if n = 1 then
        insert into throughline.events (position, stream_id, event_id, version, type, data, metadata)
        values (base + 1, owner, event_ids[1], expected + 1, event_types[1], event_data[1], event_metadata[1]);
      else
        insert into throughline.events (position, stream_id, event_id, version, type, data, metadata)
        select base + e.i, owner, e.id, expected + e.i, e.type, e.data, e.metadata
        from unnest(event_ids, event_types, event_data, event_metadata)
          with ordinality e (id, type, data, metadata, i);
      end if;
      perform pg_notify('throughline_log', (base + n)::text);
      return base + n;
    end
    $$`.execute(db);
}

/**
 * Stores a batch of appends and answers one row per append, in their order: outcome 0 stored, now or when it was
 * first sent (last_version, last_position), 1 conflict (last_version is the stream's), 2 not judged: an append before
 * it in this batch moved the stream; send it again.
 */
async function createAppendBatch(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function throughline.append_batch(
      stream_names text[],       -- each stream of the batch once
      append_streams integer[],  -- per append: the place of its stream in stream_names
      append_expected integer[], -- per append: the exact version, 0 no-stream, -1 any, -2 stream-exists
      append_counts integer[],   -- per append: how many of the events are its own
      event_appends integer[],   -- per event, in the order of the appends: the append it belongs to
      event_ids uuid[],
      event_types text[],
      event_data text[],
      event_metadata text[]
    ) returns table (outcome integer, last_version integer, last_position bigint)
    language plpgsql
    set enable_seqscan = off
    set plan_cache_mode = force_generic_plan
    as $$
    #variable_conflict use_column
    declare
      ids bigint[];
      heads integer[];
      moved boolean[] := array_fill(false, array[cardinality(stream_names)]);
      outcomes integer[] := array_fill(1, array[cardinality(append_streams)]);
      versions integer[] := outcomes;
      version_shifts integer[] := outcomes;
      position_shifts integer[] := outcomes;
      placed_ends integer[] := array_fill(0, array[cardinality(append_streams)]);
      positions bigint[] := array_fill(0::bigint, array[cardinality(append_streams)]);
      base bigint;
      original bigint;
      placed integer := 0;
      taken integer := 0;
      expected integer;
      head integer;
      n integer;
      s integer;
    begin
      perform throughline.lock_log();
      select array_agg((select t.stream_id from throughline.streams t where t.stream = k.stream) order by k.i)
      into ids from unnest(stream_names) with ordinality k (stream, i);
      select array_agg(
        coalesce((select max(e.version) from throughline.events e where e.stream_id = k.id), 0) order by k.i
      ) into heads from unnest(ids) with ordinality k (id, i);

      for i in 1 .. cardinality(append_streams) loop
        s := append_streams[i];
        n := append_counts[i];
        expected := append_expected[i];
        head := heads[s];
        if expected = head or expected = -1 or (expected = -2 and head > 0) then
          version_shifts[i] := head - taken;
          position_shifts[i] := placed - taken;
          placed := placed + n;
          placed_ends[i] := placed;
          heads[s] := head + n;
          moved[s] := true;
          outcomes[i] := 0;
          versions[i] := head + n;
        elsif expected < 0 or expected > head then
          versions[i] := head;
        elsif moved[s] then
          outcomes[i] := 2;
        else
          select max(position) into original from throughline.events
          where stream_id = ids[s] and version > expected and version <= expected + n
          having count(*) = n and bool_and(event_id = event_ids[taken + version - expected]);
          outcomes[i] := case when original is null then 1 else 0 end;
          versions[i] := case when original is null then head else expected + n end;
          positions[i] := original;
        end if;
        taken := taken + n;
      end loop;

      if placed > 0 then
        if array_position(ids, null) is not null then
          with created as (
            insert into throughline.streams (stream)
            select k.stream from unnest(stream_names, ids, moved) k (stream, id, moved)
            where k.id is null and k.moved
            returning stream, stream_id
          )
          select array_agg(coalesce(k.id, c.stream_id) order by k.i) into ids
          from unnest(stream_names, ids) with ordinality k (stream, id, i)
          left join created c on c.stream = k.stream;
        end if;

        select coalesce(max(position), 0) into base from throughline.events;
        insert into throughline.events (position, stream_id, event_id, version, type, data, metadata)
        select base + position_shifts[e.a] + e.i, ids[append_streams[e.a]], e.id, version_shifts[e.a] + e.i,
          e.type, e.data, e.metadata
        from unnest(event_appends, event_ids, event_types, event_data, event_metadata)
          with ordinality e (a, id, type, data, metadata, i)
        where placed_ends[e.a] > 0;
        perform pg_notify('throughline_log', (base + placed)::text);
      end if;

      return query
      select o.outcome, o.version, case when o.placed_end > 0 then base + o.placed_end else o.position end
      from unnest(outcomes, versions, positions, placed_ends) o (outcome, version, position, placed_end);
    end
    $$`.execute(db);
}
