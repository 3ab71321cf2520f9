import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Nullable, so that no row is rewritten: those made earlier get theirs when the projection is rebuilt.
  await sql`
    alter table throughline.context_versions
      add column event_id uuid,
      add column correlation_id text,
      add column causation_id text`.execute(db);
  await sql`create index context_versions_event on throughline.context_versions (event_id) where event_id is not null`.execute(
    db,
  );
  await sql`
    create index context_versions_correlation on throughline.context_versions (workspace, correlation_id)
    where correlation_id is not null`.execute(db);
  await sql`
    create index context_versions_causation on throughline.context_versions (workspace, causation_id)
    where causation_id is not null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table throughline.context_versions
      drop column event_id, drop column correlation_id, drop column causation_id`.execute(db);
}
