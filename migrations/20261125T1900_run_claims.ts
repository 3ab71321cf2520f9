import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.run_claims (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      step_id text collate "C" not null,
      version integer not null,
      claimed_by text not null,
      lease_until timestamptz not null,
      primary key (workspace, context_id, step_id, version)
    )`.execute(db);
  await sql`comment on table throughline.run_claims is 'who is about to start which attempt, by the version that scheduled it; losing it costs a second try, never a second start'`.execute(
    db,
  );
  await sql`create index run_claims_lease on throughline.run_claims (lease_until)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.run_claims`.execute(db);
}
