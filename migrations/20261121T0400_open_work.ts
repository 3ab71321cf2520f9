import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table throughline.open_work (
      workspace text collate "C" not null,
      context_id text collate "C" not null,
      kind text collate "C" not null,
      key text collate "C" not null,
      assignee text collate "C",
      due boolean not null,
      priority smallint not null,
      opened_at text collate "C" not null,
      from_version integer not null,
      state text not null,
      body text,
      sources text,
      primary key (workspace, context_id, kind, key)
    ) with (fillfactor = 80)`.execute(db);
  await sql`comment on table throughline.open_work is 'read model: items that wait for somebody or stand in the way now; those of an agent stay when they are done, not due any more'`.execute(
    db,
  );
  await sql`
    create index open_work_inbox on throughline.open_work
      (workspace, assignee, due, priority, opened_at, context_id, kind, key)`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table throughline.open_work`.execute(db);
}
