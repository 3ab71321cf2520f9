import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createAppendEvents(db);
  await createAppendBatch(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function throughline.append_batch, throughline.append_events`.execute(db);
}

/**
 * Stores one append that meets its expected version (0: no stream), the commonest of all, without the bookkeeping
 * of a batch: the position of its last event, or null where the version is another and append_batch has to judge.
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
      head bigint;
    begin
      if expected = 0 then
        insert into throughline.streams (stream, version) values (stream_name, n)
        on conflict (stream) do nothing
        returning stream_id into owner;
      else
        update throughline.streams set version = version + n
        where stream = stream_name and version = expected
        returning stream_id into owner;
      end if;
      if owner is null then
        return null;
      end if;

      update throughline.log_head set position = position + n returning position into head;
      if n = 1 then
        insert into throughline.events (position, stream_id, event_id, version, type, data, metadata)
        values (head, owner, event_ids[1], expected + 1, event_types[1], event_data[1], event_metadata[1]);
      else
        insert into throughline.events (position, stream_id, event_id, version, type, data, metadata)
        select head - n + e.i, owner, e.id, expected + e.i, e.type, e.data, e.metadata
        from unnest(event_ids, event_types, event_data, event_metadata)
          with ordinality e (id, type, data, metadata, i);
      end if;
      perform pg_notify('throughline_log', head::text);
      return head;
    end
    $$`.execute(db);
}

/**
 * Stores a batch of appends in one statement and answers one row per append, in their order:
 * outcome 0 stored, now or when it was first sent (last_version, last_position), 1 conflict (last_version is the
 * stream's), 2 not judged: an append before it in this batch moved the stream; send it again.
 *
 * Locks are taken in one order by everybody (created streams by name, existing streams by name, log_head), so
 * writers wait for each other but never in a circle. log_head comes last and is kept until the commit: positions
 * are dense, and become readable in their order. Sequential scans are off because a plan made while the tables
 * were small would be kept when they no longer are.
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
      created text[];
      ids bigint[];
      stored integer[];
      heads integer[];
      moved boolean[] := array_fill(false, array[cardinality(stream_names)]);
      owners bigint[] := array_fill(0::bigint, array[cardinality(append_streams)]);
      positions bigint[] := owners;
      outcomes integer[] := array_fill(0, array[cardinality(append_streams)]);
      versions integer[] := outcomes;
      version_shifts integer[] := outcomes;
      position_shifts integer[] := outcomes;
      base bigint;
      original bigint;
      placed integer := 0;
      taken integer := 0;
      expected integer;
      head integer;
      n integer;
      s integer;
    begin
      if 0 = any (append_expected) or -1 = any (append_expected) then
        with firsts as (
          select distinct on (a.s) stream_names[a.s] as stream, a.n
          from unnest(append_streams, append_expected, append_counts) with ordinality a (s, e, n, i)
          where a.e in (0, -1)
          order by a.s, a.i
        ), inserted as (
          insert into throughline.streams (stream, version)
          select stream, n from firsts order by stream
          on conflict (stream) do nothing
          returning stream
        )
        select array_agg(stream) into created from inserted;
      end if;

      with locked as materialized (
        select stream, stream_id, version from throughline.streams
        where stream = any (stream_names)
        order by stream
        for no key update
      )
      select array_agg(coalesce(l.stream_id, 0) order by k.i),
        array_agg(coalesce(l.version, 0) order by k.i),
        array_agg(case when l.stream = any (created) then 0 else coalesce(l.version, 0) end order by k.i)
      into ids, stored, heads
      from unnest(stream_names) with ordinality k (stream, i)
      left join locked l on l.stream = k.stream;

      for i in 1 .. cardinality(append_streams) loop
        s := append_streams[i];
        n := append_counts[i];
        expected := append_expected[i];
        head := heads[s];
        if expected = head or expected = -1 or (expected = -2 and head > 0) then
          owners[i] := ids[s];
          version_shifts[i] := head - taken;
          position_shifts[i] := placed - taken;
          heads[s] := head + n;
          moved[s] := true;
          placed := placed + n;
          versions[i] := head + n;
          positions[i] := placed;
        elsif expected < 0 or expected > head then
          outcomes[i] := 1;
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

      update throughline.streams t set version = m.head
      from unnest(ids, stored, heads) m (id, stored, head)
      where t.stream_id = m.id and m.head > m.stored;

      if placed > 0 then
        update throughline.log_head set position = position + placed
        returning position - placed into base;

        insert into throughline.events (position, stream_id, event_id, version, type, data, metadata)
        select base + position_shifts[e.a] + e.i, owners[e.a], e.id, version_shifts[e.a] + e.i,
          e.type, e.data, e.metadata
        from unnest(event_appends, event_ids, event_types, event_data, event_metadata)
          with ordinality e (a, id, type, data, metadata, i)
        where owners[e.a] > 0;

        perform pg_notify('throughline_log', (base + placed)::text);
      end if;

      return query
      select o.outcome, o.version, case when o.owner > 0 then base + o.position else o.position end
      from unnest(outcomes, versions, positions, owners) o (outcome, version, position, owner);
    end
    $$`.execute(db);
}
