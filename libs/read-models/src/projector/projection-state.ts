import { maxCounted } from './projection-lag.js';
import { aheadOfLog } from './refuse-rows-ahead.js';
import { sharedContextVersion } from './shared-context.projection.js';
import { type StatusRow } from './status-rows.js';

/**
 * `idle`: everything is applied and nothing has arrived for a while. `live`: it keeps up. `catching-up`: it is behind
 * and moves. `stuck`: it is behind and does not move, or nobody is there to move it. Each with its reason.
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

/** Behind by no more than this is keeping up: a batch is on its way. Where there are more, they may be uncounted. */
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
    return { state: 'stuck', reason: 'events wait, and none was applied for a while' };
  if (!waits && events !== null && events <= keepingUp) return keepsUp;
  const amount = events ?? `more than ${maxCounted}`;
  return { state: 'catching-up', reason: `${amount} events behind` };
}

const keepsUp: Judgement = { state: 'live', reason: 'events are applied as they arrive' };

function idle(applied: Date | undefined): Judgement {
  const since = applied ? `since ${applied.toISOString()}` : 'yet';
  return { state: 'idle', reason: `everything is applied, nothing arrived ${since}` };
}

/**
 * What keeps partitions from moving: of nobody having them, whether or not something waits; of a failure, only while
 * something does, since it is gone with the next batch and there may be none.
 */
function findObstacle(rows: readonly StatusRow[], version: number, lag: Lag): string | undefined {
  const mismatch = findMismatch(version, lag);
  if (mismatch !== undefined) return mismatch;
  const unowned = rows.filter(({ alive }) => !alive).map(({ partition }) => partition);
  if (unowned.length === rows.length) return 'no projector is running';
  if (unowned.length > 0) return `no projector has partitions ${unowned.join(', ')}`;
  const failed = lag.behind ? rows.find(({ failure }) => failure !== null) : undefined;
  return failed?.failure ?? undefined;
}

/** Why the rows cannot go on from this log in this process at all. */
function findMismatch(version: number, { isOfThisLog, isAhead }: Lag): string | undefined {
  if (!isOfThisLog)
    return 'the rows follow another event store: connect that one, or rebuild them from this one';
  if (isAhead) return aheadOfLog;
  if (version > sharedContextVersion)
    return `the rows were made by version ${version}, this process has ${sharedContextVersion}: upgrade it`;
  return undefined;
}

function newest(dates: readonly (Date | null)[]): Date | undefined {
  const times = dates.flatMap((date) => (date ? [date.getTime()] : []));
  return times.length > 0 ? new Date(Math.max(...times)) : undefined;
}

export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 100) / 10);
}
