import { type Kysely, sql } from 'kysely';

/** A claim outlives its attempt until the read models have reached its end, so that nobody tries to start the attempt again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table throughline.run_claims add column ended boolean not null default false`.execute(
    db,
  );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table throughline.run_claims drop column ended`.execute(db);
}
