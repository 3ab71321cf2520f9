import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.context_lineages (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      from_version integer not null,
      base_context_id text collate "C" not null,
      base_version integer not null,
      primary key (workspace, context_id, from_version)
    )`.execute(db);
  await sql`comment on table throughline.context_lineages is 'read model: from from_version on, a context stands on another version, its own or of another context'`.execute(
    db,
  );
  // Null says that all items of a context are rows of its own; no row is rewritten.
  await sql`alter table throughline.contexts add column lineage integer`.execute(db);
  // A key may have a current row in each layer.
  await sql`drop index throughline.context_items_current`.execute(db);
  await sql`
    create index context_items_current on throughline.context_items (workspace, context_id, kind, key)
    where to_version is null`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  // Without lineages the rows of restored and forked contexts say too much: rows of an older version are made again.
  await sql`
    update throughline.projections set version = 0
    where exists (select from throughline.context_lineages)`.execute(db);
  await sql`
    delete from throughline.context_items i using throughline.contexts c
    where c.workspace = i.workspace and c.context_id = i.context_id and c.lineage is not null`.execute(
    db,
  );
  await sql`drop index throughline.context_items_current`.execute(db);
  await sql`
    create unique index context_items_current on throughline.context_items (workspace, context_id, kind, key)
    where to_version is null`.execute(db);
  await sql`alter table throughline.contexts drop column lineage`.execute(db);
  await sql`drop table throughline.context_lineages`.execute(db);
}
