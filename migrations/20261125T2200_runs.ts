import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.run_claims (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      step_id text collate "C" not null,
      version integer not null,
      run_id text collate "C" not null,
      visit integer not null,
      attempt integer not null,
      agent text not null,
      claimed_by text not null,
      lease_until timestamptz not null,
      refusals integer not null default 0,
      primary key (workspace, context_id, step_id, version)
    )`.execute(db);
  await sql`comment on table throughline.run_claims is 'who carries out which attempt of a run, by the version that scheduled it, and until when without a further heartbeat; losing a row costs a second try, never a second start'`.execute(
    db,
  );
  await sql`create index run_claims_lease on throughline.run_claims (lease_until)`.execute(db);

  await sql`
    create table throughline.store_epoch (
      only_row boolean primary key default true check (only_row),
      epoch text not null,
      since timestamptz not null default now()
    )`.execute(db);
  await sql`comment on table throughline.store_epoch is 'renewed whenever events may have been lost or copied: runs of an earlier epoch wait until somebody resumes them'`.execute(
    db,
  );
  await sql`insert into throughline.store_epoch (epoch) values (gen_random_uuid()::text)`.execute(
    db,
  );

  for (const schema of await schemasOfReadModels(db)) {
    const table = sql.table(`${schema}.open_work`);
    await sql`
      create index open_work_timers on ${table} (opened_at)
      where kind in ('run', 'run-step') and not due and assignee is null`.execute(db);
    await sql`
      create index open_work_attempts on ${table} (workspace, assignee, opened_at, context_id, key)
      where kind = 'run-step' and due`.execute(db);
    // States are JSON texts that may hold NUL, which PostgreSQL does not cast to jsonb.
    // The newest run of each context, in the order of lists: what needs attention first, then the newest.
    await sql`
      create index context_items_runs on ${sql.table(`${schema}.context_items`)} (workspace,
        (case substring(state from '"status":"([a-z]+)"')
          when 'running' then case when substring(state from '"asking":([0-9]+)') = '0' then 2 else 0 end
          when 'paused' then 1 when 'cancelling' then 1 when 'failed' then 3 else 4 end),
        (substring(state from '"startedAt":"([^"]*)"')) desc, context_id)
      where kind = 'run' and to_version is null`.execute(db);
    // Whether the run of a context goes on, which claims and timers ask for each row that they find.
    await sql`
      create index context_items_active_runs on ${sql.table(`${schema}.context_items`)}
        (workspace, context_id, (substring(state from '"epoch":"([^"]*)"')), (substring(state from '"status":"([a-z]+)"')))
      where kind = 'run' and to_version is null`.execute(db);
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const schema of await schemasOfReadModels(db)) {
    await sql`drop index if exists ${sql.table(`${schema}.open_work_timers`)}`.execute(db);
    await sql`drop index if exists ${sql.table(`${schema}.open_work_attempts`)}`.execute(db);
    await sql`drop index if exists ${sql.table(`${schema}.context_items_runs`)}`.execute(db);
    await sql`drop index if exists ${sql.table(`${schema}.context_items_active_runs`)}`.execute(db);
  }
  await sql`drop table throughline.store_epoch`.execute(db);
  await sql`drop table throughline.run_claims`.execute(db);
}

/** Tables that a rebuild fills or has replaced are changed as well: they may take the place of these. */
async function schemasOfReadModels(db: Kysely<unknown>): Promise<readonly string[]> {
  const { rows } = await sql<{ schema: string }>`
    select schemaname as schema from pg_tables
    where tablename = 'open_work' and (schemaname = 'throughline' or starts_with(schemaname, 'throughline_'))`.execute(
    db,
  );
  return rows.map(({ schema }) => schema);
}
