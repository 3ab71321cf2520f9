import { maxCounted } from './projection-lag.js';
import { aheadOfLog } from './refuse-rows-ahead.js';
import { sharedContextVersion } from './shared-context.projection.js';
import { type StatusRow } from './status-rows.js';

/**
 * `idle`: every event is applied and none has arrived for a while. `live`: the projection keeps up. `catching-up`: it
 * lags and makes progress. `stuck`: it lags and makes no progress, or cannot make any. Each state has a reason.
 */
export type ProjectionState = 'idle' | 'catching-up' | 'live' | 'stuck';

type Lag = Readonly<{
  behind: boolean;
  isOfThisLog: boolean;
  isAhead: boolean;
  events: number | null;
  seconds: number;
}>;

type Judgement = Readonly<{ state: ProjectionState; reason: string }>;

/** A lag of at most this many events counts as keeping up. Greater lags may be uncounted. */
const keepingUp = maxCounted;
const idleAfterSeconds = 30;
const stuckAfterSeconds = 10;

export function judge(
  { now, version }: StatusRow,
  rows: readonly StatusRow[],
  lag: Lag,
): Judgement {
  const obstacle = findObstacle(rows, version, lag);
  if (obstacle !== undefined) return { state: 'stuck', reason: obstacle };
  const applied = newest(rows.map(({ applied_at }) => applied_at));
  const quietSeconds = applied ? secondsBetween(applied, now) : Number.POSITIVE_INFINITY;
  if (!lag.behind) return quietSeconds > idleAfterSeconds ? idle(applied) : keepsUp;
  return judgeBehind(lag, quietSeconds);
}

function judgeBehind({ events, seconds }: Lag, quietSeconds: number): Judgement {
  const waits = seconds > stuckAfterSeconds;
  if (waits && quietSeconds > stuckAfterSeconds)
    return { state: 'stuck', reason: 'events are waiting, but none was applied recently' };
  if (!waits && events !== null && events <= keepingUp) return keepsUp;
  const amount = events ?? `more than ${maxCounted}`;
  return { state: 'catching-up', reason: `${amount} events behind` };
}

const keepsUp: Judgement = { state: 'live', reason: 'events are applied as they arrive' };

function idle(applied: Date | undefined): Judgement {
  const since = applied ? `since ${applied.toISOString()}` : 'yet';
  return { state: 'idle', reason: `every event is applied, and none has arrived ${since}` };
}

/**
 * What prevents the partitions from advancing. A missing owner counts always; a stored failure counts only while events
 * wait, since only the next batch clears it.
 */
function findObstacle(rows: readonly StatusRow[], version: number, lag: Lag): string | undefined {
  const mismatch = findMismatch(version, lag);
  if (mismatch !== undefined) return mismatch;
  const unowned = rows.filter(({ alive }) => !alive).map(({ partition }) => partition);
  if (unowned.length === rows.length) return 'no projector is running';
  if (unowned.length > 0) return `no projector owns partitions ${unowned.join(', ')}`;
  const failed = lag.behind ? rows.find(({ failure }) => failure !== null) : undefined;
  return failed?.failure ?? undefined;
}

/** Why this process cannot apply events of this log to the rows at all. */
function findMismatch(version: number, { isOfThisLog, isAhead }: Lag): string | undefined {
  if (!isOfThisLog)
    return 'the rows follow another event store: connect to that store, or rebuild the rows from this one';
  if (isAhead) return aheadOfLog;
  if (version > sharedContextVersion)
    return `the rows were written by version ${version} of the projection, but this process has version ${sharedContextVersion}: upgrade it`;
  return undefined;
}

function newest(dates: readonly (Date | null)[]): Date | undefined {
  const times = dates.flatMap((date) => (date ? [date.getTime()] : []));
  return times.length > 0 ? new Date(Math.max(...times)) : undefined;
}

export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 100) / 10);
}
