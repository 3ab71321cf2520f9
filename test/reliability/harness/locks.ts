import { type Pool, type PoolClient } from 'pg';

import { waitUntil } from './wait-until.js';

/** The sessions of servers and projectors that wait for a lock. */
export async function findWaiting(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(`
    select pid from pg_stat_activity
    where datname = current_database() and application_name like 'throughline%' and wait_event_type = 'Lock'`);
  return rows.map(({ pid }) => pid);
}

/**
 * Lets go of what `holder` has locked. Those who waited for it die first, as with their machine, or go on, as when
 * only their process has died; resolves when they are through.
 */
export async function letGo(
  pool: Pool,
  holder: PoolClient,
  sessions: 'die' | 'go on',
): Promise<void> {
  const waiting = await findWaiting(pool);
  if (sessions === 'die')
    await pool.query('select pg_terminate_backend(pid, 10000) from unnest($1::int[]) pid', [
      waiting,
    ]);
  await holder.query('rollback');
  // One that goes on notices that nobody listens when it has committed.
  await waitUntil(
    'the end of what the sessions were doing that had waited for the lock',
    () => findAtWork(pool, waiting),
    (pids) => pids.length === 0,
  );
}

async function findAtWork(pool: Pool, pids: readonly number[]): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where pid = any($1::int[]) and state = 'active'`,
    [pids],
  );
  return rows.map(({ pid }) => pid);
}

/** Resolves once a server or a projector waits for a lock. */
export async function waitForWaiting(pool: Pool): Promise<void> {
  await waitUntil(
    'a session that waits for a lock',
    () => findWaiting(pool),
    (pids) => pids.length > 0,
  );
}
