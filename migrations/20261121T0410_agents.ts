import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.agent_versions (
      workspace text not null,
      agent_id text not null,
      version integer not null,
      definition text not null,
      changed_at timestamptz not null default now(),
      changed_by text not null,
      primary key (workspace, agent_id, version)
    )`.execute(db);
  await sql`comment on table throughline.agent_versions is 'every version of who an agent is and what it needs; the highest is current'`.execute(
    db,
  );

  await sql`
    create table throughline.transformation_versions (
      workspace text not null,
      transformation_id text not null,
      version integer not null,
      definition text not null,
      changed_at timestamptz not null default now(),
      changed_by text not null,
      primary key (workspace, transformation_id, version)
    )`.execute(db);
  await sql`comment on table throughline.transformation_versions is 'every version of what values are derived by; the highest is current'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.transformation_versions`.execute(db);
  await sql`drop table throughline.agent_versions`.execute(db);
}
