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
 * Releases the locks of `holder`. The sessions that waited for them are terminated first, as if their machine failed,
 * or continue, as if only their process failed. Resolves when they are done.
 */
export async function releaseLocks(
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
  // A session that continues finds that its client has disconnected when it commits.
  await waitUntil(
    'the end of what the sessions were doing that had waited for the lock',
    () => findActive(pool, waiting),
    (pids) => pids.length === 0,
  );
}

async function findActive(pool: Pool, pids: readonly number[]): Promise<number[]> {
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
