import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null in what processes of the release before write, until the rows are rebuilt.
  await sql`alter table throughline.contexts add column imported boolean`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table throughline.contexts drop column imported`.execute(db);
}
