import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.workflow_versions (
      workspace text collate "C" not null,
      definition_id text collate "C" not null,
      version integer not null,
      hash text collate "C" not null,
      summary text not null,
      definition text not null,
      published_at timestamptz not null default now(),
      published_by text not null,
      primary key (workspace, definition_id, version),
      unique (workspace, definition_id, hash)
    )`.execute(db);
  await sql`comment on table throughline.workflow_versions is 'every version of a definition of a workflow; the hash of its content names it'`.execute(
    db,
  );

  await sql`
    create table throughline.workflow_publications (
      workspace text collate "C" not null,
      definition_id text collate "C" not null,
      publication integer not null,
      version integer not null,
      published_at timestamptz not null default now(),
      published_by text not null,
      primary key (workspace, definition_id, publication)
    )`.execute(db);
  await sql`comment on table throughline.workflow_publications is 'which version of a workflow was put in force when; the highest publication is in force'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.workflow_publications`.execute(db);
  await sql`drop table throughline.workflow_versions`.execute(db);
}
