import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.

/**
 * Two indexes of contexts made other statements slow. The condition of `contexts_unprojected` named the version, so that each
 * new version of a context added an entry to every index of the table; without it, PostgreSQL updates the row within its page, and
 * the few contexts that no projection has reached are looked for only when a rebuild ends. `contexts_newest` was used by plans that
 * were made while the table was empty to find one context among all of its workspace; only statements that state its condition, which
 * is always true, can use it now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index throughline.contexts_unprojected`.execute(db);
  await sql`drop index throughline.contexts_newest`.execute(db);
  await sql`
    create index contexts_newest on throughline.contexts (workspace, created_at, context_id)
    where created_at >= ''`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index throughline.contexts_newest`.execute(db);
  await sql`create index contexts_newest on throughline.contexts (workspace, created_at, context_id)`.execute(
    db,
  );
  await sql`create index contexts_unprojected on throughline.contexts (workspace, context_id) where version = 0`.execute(
    db,
  );
}
