import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  // Who works on a job is heard of here, for it need not keep any rows: those it replaces may be of another log.
  await sql`alter table throughline.jobs add column seen_at timestamptz`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table throughline.jobs drop column seen_at`.execute(db);
}
