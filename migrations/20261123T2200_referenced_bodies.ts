import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.

/** A large payload that the log of the same database holds word for word is not stored a second time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table throughline.context_items
      add column body_position bigint,
      add column body_bytes integer`.execute(db);
  await sql`comment on column throughline.context_items.body_position is 'the event whose data is the payload; body is null then'`.execute(
    db,
  );
  await sql`comment on column throughline.context_items.body_bytes is 'how large that payload is'`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    update throughline.context_items i
    set body = (select e.data from throughline.events e where e.position = i.body_position)
    where i.body_position is not null`.execute(db);
  await sql`
    alter table throughline.context_items drop column body_position, drop column body_bytes`.execute(
    db,
  );
}
