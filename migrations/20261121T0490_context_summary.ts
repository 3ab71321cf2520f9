import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.context_summary_groups (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      hash bytea not null,
      covers integer not null,
      tally text not null,
      primary key (workspace, context_id, hash)
    )`.execute(db);
  await sql`comment on table throughline.context_summary_groups is 'what runs of entries of a context tell together, by the hash of what they say: made once, never changed'`.execute(
    db,
  );
  await sql`
    create table throughline.context_summary_counts (
      workspace text collate "C" not null,
      tokenizer text collate "C" not null,
      hash bytea not null,
      units integer not null,
      primary key (workspace, tokenizer, hash)
    )`.execute(db);
  await sql`comment on table throughline.context_summary_counts is 'how many tokens a text takes, by its hash: counted once, when a view first asks'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.context_summary_counts`.execute(db);
  await sql`drop table throughline.context_summary_groups`.execute(db);
}
