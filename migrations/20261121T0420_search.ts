import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.search_items (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      kind text collate "C" not null,
      key text collate "C" not null,
      from_version integer not null,
      part integer not null,
      to_version integer,
      item_version integer not null,
      words tsvector not null,
      value jsonb,
      primary key (workspace, context_id, kind, key, from_version, part)
    ) with (fillfactor = 90)`.execute(db);
  await sql`comment on table throughline.search_items is 'read model: what is found of an item while it was shown, in [from_version, to_version); large ones in several parts'`.execute(
    db,
  );
  // What waits in the list of an index is looked through by every search: it is kept short.
  await sql`
    create index search_items_words on throughline.search_items using gin (words)
    with (gin_pending_list_limit = 512)`.execute(db);
  await sql`
    create index search_items_value on throughline.search_items using gin (value jsonb_path_ops)
    with (gin_pending_list_limit = 512)`.execute(db);

  await sql`
    create table throughline.search_places (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      version integer not null,
      code_version integer not null,
      rows_of oid not null,
      failure text,
      tried_at timestamptz,
      primary key (workspace, context_id)
    ) with (fillfactor = 80)`.execute(db);
  await sql`comment on table throughline.search_places is 'how far the search rows of a context have got, by which code and from which table of items'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.search_places`.execute(db);
  await sql`drop table throughline.search_items`.execute(db);
}
