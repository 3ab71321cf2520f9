import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create schema if not exists throughline`.execute(db);

  await sql`
    create table throughline.server_secrets (
      name text primary key,
      value bytea not null
    )`.execute(db);
  await sql`comment on table throughline.server_secrets is 'keys this store made for itself; part of every backup'`.execute(
    db,
  );

  await sql`
    create table throughline.store_identity (
      singleton boolean primary key default true check (singleton),
      id uuid not null default gen_random_uuid()
    )`.execute(db);
  await sql`comment on table throughline.store_identity is 'one row: which store this is'`.execute(
    db,
  );
  await sql`insert into throughline.store_identity default values`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.store_identity`.execute(db);
  await sql`drop table throughline.server_secrets`.execute(db);
}
