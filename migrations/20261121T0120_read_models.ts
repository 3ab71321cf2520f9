import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.contexts (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      version integer not null,
      hash text,
      created_at text collate "C" not null,
      created_by text not null,
      create_key text,
      modified_at text collate "C" not null,
      modified_by text not null,
      title text,
      status text not null,
      workflow_id text,
      parent text,
      bytes bigint not null,
      tokens bigint not null,
      activity text not null,
      primary key (workspace, context_id)
    ) with (fillfactor = 80)`.execute(db);
  await sql`comment on table throughline.contexts is 'read model: one bounded row a context, at the version the projection has reached'`.execute(
    db,
  );
  await sql`create index contexts_newest on throughline.contexts (workspace, created_at, context_id)`.execute(
    db,
  );
  await sql`create index contexts_create_key on throughline.contexts (workspace, create_key) where create_key is not null`.execute(
    db,
  );
  await sql`create index contexts_parent on throughline.contexts (workspace, parent) where parent is not null`.execute(
    db,
  );

  await sql`
    create table throughline.context_items (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      kind text collate "C" not null,
      key text collate "C" not null,
      from_version integer not null,
      to_version integer,
      state text not null,
      body text,
      primary key (workspace, context_id, kind, key, from_version)
    ) with (fillfactor = 90)`.execute(db);
  await sql`comment on table throughline.context_items is 'read model: one row an item, current in [from_version, to_version)'`.execute(
    db,
  );
  await sql`
    create unique index context_items_current on throughline.context_items (workspace, context_id, kind, key)
    where to_version is null`.execute(db);

  await sql`
    create table throughline.context_versions (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      version integer not null,
      recorded_at text collate "C" not null,
      principal text not null,
      bytes bigint not null,
      tokens bigint not null,
      primary key (workspace, context_id, version)
    )`.execute(db);
  await sql`comment on table throughline.context_versions is 'read model: when each version was recorded, and the totals up to it'`.execute(
    db,
  );

  await sql`
    create table throughline.context_agents (
      workspace text collate "C" not null,
      agent_id text collate "C" not null,
      context_id text collate "C" not null,
      primary key (workspace, agent_id, context_id)
    )`.execute(db);

  await sql`
    create table throughline.projection_checkpoints (
      projection text primary key,
      position text,
      store_identity text not null,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table throughline.projection_parked (
      projection text not null,
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      version integer not null,
      position text not null,
      error text not null,
      parked_at timestamptz not null default now(),
      primary key (projection, workspace, context_id)
    )`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'projection_parked',
    'projection_checkpoints',
    'context_agents',
    'context_versions',
    'context_items',
    'contexts',
  ])
    await sql`drop table throughline.${sql.raw(table)}`.execute(db);
}
