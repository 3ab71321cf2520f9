import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Nullable, so that no row is rewritten: those made earlier get theirs when the projection is rebuilt.
  await sql`alter table throughline.context_versions add column activity text`.execute(db);
  await sql`
    create index context_versions_activity on throughline.context_versions (workspace, context_id, version)
    where activity is not null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table throughline.context_versions drop column activity`.execute(db);
}
