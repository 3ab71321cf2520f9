import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.

/** The few contexts that cannot be searched are counted whenever somebody asks how the read models get on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index search_places_failed on throughline.search_places (workspace, context_id)
    where failure is not null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index throughline.search_places_failed`.execute(db);
}
