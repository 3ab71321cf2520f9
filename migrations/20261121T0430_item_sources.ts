import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table throughline.context_items add column sources text`.execute(db);
  await sql`comment on column throughline.context_items.sources is 'what audiences go by: of which events the value was made'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table throughline.context_items drop column sources`.execute(db);
}
