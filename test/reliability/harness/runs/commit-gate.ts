import { type Pool, type PoolClient } from 'pg';

import { streamOf } from '../context-client.js';
import { releaseLocks } from '../locks.js';

const gateLock = 4714;
/** The value of the gate for claims, instead of a stream. */
const claims = 'claims';

/** Blocks the append of a context beyond a version when its events are inserted but not committed. */
export class CommitGate {
  constructor(
    private readonly pool: Pool,
    private readonly holder: PoolClient,
  ) {}

  static async install(pool: Pool): Promise<CommitGate> {
    await pool.query(`
      create table throughline.commit_gate (stream text not null, version integer not null);
      create function throughline.wait_at_gate() returns trigger language plpgsql as $$
      begin
        if exists (
          select from throughline.commit_gate g join throughline.streams s using (stream)
          where s.stream_id = new.stream_id and new.version > g.version)
        then perform pg_advisory_xact_lock_shared(${gateLock}); end if;
        return null;
      end $$;
      create constraint trigger wait_at_gate after insert on throughline.events
      deferrable initially deferred for each row execute function throughline.wait_at_gate();
      create function throughline.hold_claim() returns trigger language plpgsql as $$
      begin
        if exists (select from throughline.commit_gate where stream = '${claims}')
        then perform pg_advisory_xact_lock_shared(${gateLock}); end if;
        return null;
      end $$;
      create constraint trigger hold_claim after insert or update on throughline.run_claims
      deferrable initially deferred for each row execute function throughline.hold_claim()`);
    return new CommitGate(pool, await pool.connect());
  }

  /** Blocks appends after this version of the context. */
  close(contextId: string, version: number): Promise<void> {
    return this.#close(streamOf(contextId), version);
  }

  /** Blocks the next claim of an attempt. */
  closeForClaims(): Promise<void> {
    return this.#close(claims, 0);
  }

  async #close(stream: string, version: number): Promise<void> {
    await this.holder.query('begin');
    await this.holder.query('select pg_advisory_xact_lock($1)', [gateLock]);
    await this.pool.query('delete from throughline.commit_gate');
    await this.pool.query('insert into throughline.commit_gate values ($1, $2)', [stream, version]);
  }

  /** Whether an append is blocked. */
  async isReached(): Promise<boolean> {
    const { rows } = await this.pool.query(
      `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`,
      [gateLock],
    );
    return rows.length > 0;
  }

  /** Terminates the blocked session, which rolls back, or lets it commit although its client has disconnected. */
  async open(sessions: 'die' | 'go on'): Promise<void> {
    await this.pool.query('delete from throughline.commit_gate');
    await releaseLocks(this.pool, this.holder, sessions);
  }

  release(): void {
    // Closing the connection releases its locks.
    this.holder.release(true);
  }
}
