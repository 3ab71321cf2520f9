import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.

/**
 * Two indexes of contexts made other statements slow. The condition of `contexts_unprojected` named the version, so that each
 * new version of a context added an entry to every index of the table; without it, PostgreSQL updates the row within its page, and
 * the few contexts that no projection has reached are looked for only when a rebuild ends. `contexts_newest` was used by plans that
 * were made while the table was empty to find one context among all of its workspace; only statements that state its condition, which
 * is always true, can use it now. Tables that a rebuild has replaced may come back, and those that it is filling will take their place:
 * they are changed as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const schema of await schemasWithContexts(db)) {
    await sql`drop index if exists ${sql.table(`${schema}.contexts_unprojected`)}`.execute(db);
    await sql`drop index if exists ${sql.table(`${schema}.contexts_newest`)}`.execute(db);
    await sql`
      create index contexts_newest on ${sql.table(`${schema}.contexts`)} (workspace, created_at, context_id)
      where created_at >= ''`.execute(db);
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const schema of await schemasWithContexts(db)) {
    await sql`drop index if exists ${sql.table(`${schema}.contexts_newest`)}`.execute(db);
    await sql`
      create index contexts_newest on ${sql.table(`${schema}.contexts`)} (workspace, created_at, context_id)`.execute(
      db,
    );
    await sql`
      create index contexts_unprojected on ${sql.table(`${schema}.contexts`)} (workspace, context_id)
      where version = 0`.execute(db);
  }
}

/** A rebuild fills its tables in a schema of its own, and moves those that it replaces to another. */
async function schemasWithContexts(db: Kysely<unknown>): Promise<readonly string[]> {
  const { rows } = await sql<{ schema: string }>`
    select schemaname as schema from pg_tables
    where tablename = 'contexts' and (schemaname = 'throughline' or starts_with(schemaname, 'throughline_'))`.execute(
    db,
  );
  return rows.map(({ schema }) => schema);
}
