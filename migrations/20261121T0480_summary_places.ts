import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.summary_places (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      tokens bigint not null default 0,
      failures integer not null default 0,
      next_at timestamptz,
      lease uuid,
      leased_until timestamptz,
      primary key (workspace, context_id)
    )`.execute(db);
  await sql`comment on table throughline.summary_places is 'who summarizes a context and until when, when it is tried again, and of how many of its tokens it was seen that there is nothing to summarize'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.summary_places`.execute(db);
}
