import { type Kysely, sql } from 'kysely';

const partitions = 8;

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await createProjections(db);
  await createParked(db);
  await createJobs(db);
  await keepCheckpoint(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.projection_checkpoints (
      projection text primary key,
      position text,
      store_identity text not null,
      updated_at timestamptz not null default now()
    )`.execute(db);
  // Rows pass over what they hold already, so the earliest position is right for all.
  await sql`
    insert into throughline.projection_checkpoints (projection, position, store_identity)
    select p.projection, (
      select min(q.position::bigint)::text from throughline.projection_partitions q
      where q.projection = p.projection having bool_and(q.position is not null)), p.store_identity
    from throughline.projections p where p.projection = 'shared-context'`.execute(db);
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
  await sql`
    insert into throughline.projection_parked
    select projection, workspace, context_id, version, position, error, parked_at
    from throughline.dead_letters where projection = 'shared-context'`.execute(db);
  await sql`drop index throughline.contexts_unprojected`.execute(db);
  for (const table of [
    'jobs',
    'dead_letters',
    'projector_instances',
    'projection_partitions',
    'projections',
  ])
    await sql`drop table ${sql.table(`throughline.${table}`)}`.execute(db);
}

async function createProjections(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.projections (
      projection text primary key,
      version integer not null,
      store_identity text not null,
      rebuilt_at timestamptz
    )`.execute(db);
  await sql`comment on table throughline.projections is 'which code made the rows of a projection, and from which log'`.execute(
    db,
  );
  await sql`
    create table throughline.projection_partitions (
      projection text not null references throughline.projections on delete cascade,
      partition integer not null,
      position text,
      events bigint not null default 0,
      epoch bigint not null default 0,
      owner uuid,
      applied_at timestamptz,
      failure text,
      primary key (projection, partition)
    ) with (fillfactor = 50)`.execute(db);
  await sql`comment on table throughline.projection_partitions is 'how far a projection has got, per hash of stream, and which process may move it on'`.execute(
    db,
  );
  await sql`
    create table throughline.projector_instances (
      instance uuid primary key,
      host text not null,
      pid integer not null,
      started_at timestamptz not null default now(),
      seen_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index contexts_unprojected on throughline.contexts (workspace, context_id) where version = 0`.execute(
    db,
  );
}

async function createParked(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.dead_letters (
      id uuid primary key default gen_random_uuid(),
      projection text not null,
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      version integer not null,
      position text not null,
      event_id uuid,
      event_type text,
      error text not null,
      attempts integer not null default 1,
      parked_at timestamptz not null default now(),
      tried_at timestamptz not null default now(),
      unique (projection, workspace, context_id)
    )`.execute(db);
  await sql`
    insert into throughline.dead_letters (projection, workspace, context_id, version, position, error, parked_at)
    select projection, workspace, context_id, version, position, error, parked_at
    from throughline.projection_parked`.execute(db);
  await sql`drop table throughline.projection_parked`.execute(db);
}

async function createJobs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.jobs (
      job_id uuid primary key,
      kind text not null,
      projection text not null,
      state text not null,
      phase text not null,
      code_version integer not null,
      rate integer,
      verify text not null,
      requested_by text not null,
      cancelling boolean not null default false,
      schema_version text,
      total bigint,
      compared bigint not null default 0,
      different bigint not null default 0,
      detail text,
      owner uuid,
      epoch bigint not null default 0,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      switched_at timestamptz,
      ended_at timestamptz
    )`.execute(db);
  await sql`create index jobs_newest on throughline.jobs (created_at)`.execute(db);
  // One rebuild of a projection at a time.
  await sql`create unique index jobs_active on throughline.jobs (projection) where ended_at is null and switched_at is null`.execute(
    db,
  );
}

async function keepCheckpoint(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into throughline.projections (projection, version, store_identity)
    select projection, 1, store_identity from throughline.projection_checkpoints`.execute(db);
  await sql`
    insert into throughline.projection_partitions (projection, partition, position)
    select projection, partition, position
    from throughline.projection_checkpoints, generate_series(0, ${sql.lit(partitions - 1)}) as partition`.execute(
    db,
  );
  await sql`drop table throughline.projection_checkpoints`.execute(db);
}
