import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.run_claims (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      run_id text collate "C" not null,
      step_id text collate "C" not null,
      visit integer not null,
      attempt integer not null,
      claimed_by text not null,
      claimed_at timestamptz not null default clock_timestamp(),
      lease_until timestamptz not null,
      primary key (workspace, context_id, run_id, step_id, visit, attempt)
    )`.execute(db);
  await sql`comment on table throughline.run_claims is 'who is about to start which attempt; no rebuild touches it, and losing it costs a second try, never a second start'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.run_claims`.execute(db);
}
