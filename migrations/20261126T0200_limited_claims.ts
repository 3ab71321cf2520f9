import { type Kysely, sql } from 'kysely';

/**
 * The live claims of a workspace, behind its lock: a function, so that one statement takes the lock and reads what others have committed
 * before they released it. Each statement of a function does so only in READ COMMITTED.
 *
 * Sequential scans are off because a plan made while the table was small would be kept when it no longer is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function throughline.claims_in_turn(of_workspace text)
    returns table (context_id text, step_id text, version integer, agent text, ended boolean)
    language plpgsql
    rows 100
    set enable_seqscan = off
    as $$
    begin
      if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'attempts are claimed in READ COMMITTED, not in %', current_setting('transaction_isolation')
          using errcode = 'feature_not_supported';
      end if;
      perform pg_advisory_xact_lock(hashtextextended('throughline.running-attempts.' || of_workspace, 0));
      return query
        select h.context_id, h.step_id, h.version, h.agent, h.ended
        from throughline.run_claims h
        where h.workspace = of_workspace and h.lease_until > clock_timestamp();
    end
    $$`.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function throughline.claims_in_turn`.execute(db);
}
