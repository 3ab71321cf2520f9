import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.api_keys (
      key_id text primary key,
      secret_hash text not null unique,
      workspace text not null,
      grant_json text not null,
      created_at timestamptz not null default now(),
      created_by text not null,
      expires_at timestamptz,
      revoked_at timestamptz
    )`.execute(db);
  await sql`comment on table throughline.api_keys is 'who may do what; the secret is kept as SHA-256 only'`.execute(
    db,
  );
  await sql`create index api_keys_workspace on throughline.api_keys (workspace, created_at, key_id)`.execute(
    db,
  );

  await sql`
    create table throughline.workspace_settings (
      workspace text not null,
      version integer not null,
      settings text not null,
      changed_at timestamptz not null default now(),
      changed_by text not null,
      primary key (workspace, version)
    )`.execute(db);
  await sql`comment on table throughline.workspace_settings is 'every version of a workspace''s defaults; the highest is current'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.workspace_settings`.execute(db);
  await sql`drop table throughline.api_keys`.execute(db);
}
