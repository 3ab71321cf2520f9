import { type Pool, type PoolClient } from 'pg';

import { type TcpProxy } from '#testing';

import { waitForWaiting } from './locks.js';

/** A point at which a server stops, so that it can be killed there. */
export type CrashPoint = Readonly<{
  name: string;
  command: 'append' | 'create';
  /** The number of events in the store after a kill at this point. */
  leaves: 0 | 1;
  /** Stops the next command at the point; resolves once it has stopped. */
  reach: (site: CrashSite) => Promise<void>;
  /**
   * Whether the database session ends with the process, as if the machine failed, or continues, as if only the process
   * failed.
   */
  sessions: 'die' | 'go on';
}>;

export type CrashSite = Readonly<{
  /** The session that holds locks until it is released. */
  holder: PoolClient;
  pool: Pool;
  proxy: TcpProxy;
  /** Called once everything is prepared for the command. */
  go: () => void;
  answered: Promise<unknown>;
}>;

const logLock = '8388080154633137765';
const commitLock = 4711;

/** The server has no code for these points: it waits for database locks that a test holds. */
export const crashPoints: readonly CrashPoint[] = [
  {
    name: 'before it reads what it decides on',
    command: 'append',
    leaves: 0,
    sessions: 'die',
    reach: (site) => holdAt(site, 'lock table throughline.contexts in access exclusive mode'),
  },
  {
    name: 'decided, before anything is stored',
    command: 'create',
    leaves: 0,
    sessions: 'die',
    reach: (site) => holdAt(site, `select pg_advisory_xact_lock(${logLock})`),
  },
  {
    name: 'events inserted and not committed, with its session',
    command: 'append',
    leaves: 0,
    sessions: 'die',
    reach: (site) => holdAt(site, `select pg_advisory_xact_lock(${commitLock})`),
  },
  {
    name: 'events inserted and not committed, without its session',
    command: 'append',
    leaves: 1,
    sessions: 'go on',
    reach: (site) => holdAt(site, `select pg_advisory_xact_lock(${commitLock})`),
  },
  {
    name: 'committed, before it reads the answer',
    command: 'append',
    leaves: 1,
    sessions: 'go on',
    reach: async ({ proxy, go }) => {
      const dropped = proxy.dropAnswerTo('throughline_append_', 'silence');
      go();
      await dropped;
    },
  },
  {
    name: 'stored, before the new context is listed',
    command: 'create',
    leaves: 1,
    sessions: 'die',
    reach: (site) => holdAt(site, 'lock table throughline.contexts in share row exclusive mode'),
  },
  {
    name: 'after the answer',
    command: 'append',
    leaves: 1,
    sessions: 'die',
    reach: async ({ go, answered }) => {
      go();
      await answered;
    },
  },
];

/** Commits of events wait until the test releases the lock of commits. */
export async function installCommitLock(pool: Pool): Promise<void> {
  await pool.query(`
    create function throughline.hold_commit() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${commitLock}); return null; end $$;
    create constraint trigger hold_commit after insert on throughline.events
    deferrable initially deferred for each row execute function throughline.hold_commit()`);
}

async function holdAt({ holder, pool, go }: CrashSite, lock: string): Promise<void> {
  await holder.query('begin');
  await holder.query(lock);
  go();
  await waitForWaiting(pool);
}
