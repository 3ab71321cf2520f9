import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.policy_versions (
      workspace text collate "C" not null,
      audience text collate "C" not null,
      version integer not null,
      policy text not null,
      changed_at timestamptz not null default now(),
      changed_by text not null,
      primary key (workspace, audience, version)
    )`.execute(db);
  await sql`comment on table throughline.policy_versions is 'what an audience of a workspace sees, every version; the highest is in force'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.policy_versions`.execute(db);
}
