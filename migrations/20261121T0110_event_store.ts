import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create schema if not exists throughline`.execute(db);
  await createTables(db);
  await compressWithLz4(db);
  await forbidChanges(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.events, throughline.streams`.execute(db);
  await sql`drop function throughline.refuse_change`.execute(db);
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.streams (
      stream_id bigint generated always as identity primary key,
      stream text collate "C" not null unique
    )`.execute(db);
  await sql`comment on table throughline.streams is 'the number of each stream, for its events to name it by'`.execute(
    db,
  );

  // No row is ever updated, not even to keep a stream's version or the log's position: those are the ends of two
  // indexes. A row updated by every append leaves its old versions behind any long transaction, as a backup is one,
  // and each append then searches through them. Event ids are not unique: nothing looks them up. Widths in falling
  // order waste no padding.
  await sql`
    create table throughline.events (
      position bigint primary key,
      stream_id bigint not null,
      event_id uuid not null,
      version integer not null,
      type text collate "C" not null,
      data text collate "C" not null,
      metadata text collate "C" not null,
      unique (stream_id, version)
    ) with (toast_tuple_target = 4080)`.execute(db);
  await sql`comment on table throughline.events is 'the log: append only, positions dense and in commit order'`.execute(
    db,
  );
  // Rows up to half a page stay as they are, for compressing every one of 2 KB doubled what an append costs; larger
  // ones are compressed, but kept within the row up to a page: the toast table costs a second insert.
  await sql`
    alter table throughline.events
      alter column data set storage main,
      alter column metadata set storage main`.execute(db);
}

/** Where the server was built with it: several times cheaper than the default compression. */
async function compressWithLz4(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    begin
      alter table throughline.events
        alter column data set compression lz4,
        alter column metadata set compression lz4;
    exception when feature_not_supported then
      null;
    end
    $$`.execute(db);
}

async function forbidChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function throughline.refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'throughline.% refuses %: what is stored is never changed', tg_table_name, lower(tg_op)
        using errcode = 'restrict_violation';
    end
    $$`.execute(db);
  for (const table of ['events', 'streams'])
    await sql`
      create trigger never_change before update or delete or truncate on ${sql.table(`throughline.${table}`)}
      for each statement execute function throughline.refuse_change()`.execute(db);
}
