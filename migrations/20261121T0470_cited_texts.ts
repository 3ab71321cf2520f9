import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.cited_texts (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      hash bytea not null check (length(hash) = 32),
      kind text collate "C" not null,
      text bytea,
      stored_at timestamptz not null default now(),
      erased_at timestamptz,
      primary key (workspace, context_id, hash),
      check (text is not null or erased_at is not null)
    )`.execute(db);
  await sql`comment on table throughline.cited_texts is 'what reads have shown that somebody cites, by its SHA-256; the text is gone where it was erased'`.execute(
    db,
  );
  // Nullable, so that no row is rewritten: no event stored earlier cites a receipt.
  await sql`alter table throughline.context_versions add column based_on text`.execute(db);
  await sql`comment on column throughline.context_versions.based_on is 'the SHA-256 of the receipt that the event cites'`.execute(
    db,
  );
  await sql`
    create index context_versions_based_on on throughline.context_versions (workspace, based_on)
    where based_on is not null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table throughline.context_versions drop column based_on`.execute(db);
  await sql`drop table throughline.cited_texts`.execute(db);
}
