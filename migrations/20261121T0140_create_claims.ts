import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.create_claims (
      workspace text collate "C" not null,
      create_key text not null,
      context_id text collate "C" not null,
      primary key (workspace, create_key)
    )`.execute(db);
  await sql`comment on table throughline.create_claims is 'which context an idempotency key creates: the first to claim it has it'`.execute(
    db,
  );
  await sql`drop index throughline.contexts_create_key`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index contexts_create_key on throughline.contexts (workspace, create_key)
    where create_key is not null`.execute(db);
  await sql`drop table throughline.create_claims`.execute(db);
}
