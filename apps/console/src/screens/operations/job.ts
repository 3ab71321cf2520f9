import { counted } from '../../ui/counted.js';
import { durationText } from './projection.js';

/** A rebuild, as `GET /v1/jobs` returns it. */
export type Job = Readonly<{
  jobId: string;
  projection: string;
  state: 'waiting' | 'running' | 'switched' | 'done' | 'cancelled' | 'failed';
  phase: 'waiting' | 'copying' | 'indexing' | 'comparing' | 'switching' | 'finished';
  rate: number | null;
  verify: 'sample' | 'all';
  requestedBy: string;
  cancelling: boolean;
  /** Null if the events were not counted. */
  total: number | null;
  applied: number;
  eventsPerSecond: number | null;
  secondsLeft: number | null;
  compared: number;
  different: number;
  detail: string | null;
  createdAt: string;
  endedAt: string | null;
}>;

/** Confirms the switch, stops the job before it, or restores the old rows after it. */
export type JobControl = 'confirm' | 'cancel' | 'restore';

export function isActive({ state }: Pick<Job, 'state'>): boolean {
  return state === 'waiting' || state === 'running';
}

export function controlsOf(job: Pick<Job, 'state' | 'cancelling'>): readonly JobControl[] {
  if (isActive(job)) return job.cancelling ? [] : ['cancel'];
  return job.state === 'switched' ? ['confirm', 'restore'] : [];
}

const phaseTexts: Readonly<Record<Job['phase'], string>> = {
  waiting: 'waits for a projector',
  copying: 'applies the events',
  indexing: 'builds the indexes',
  comparing: 'compares the new rows with the live rows',
  switching: 'replaces the live rows',
  finished: 'is finished',
};

const stateTexts: Readonly<Record<'switched' | 'done' | 'cancelled' | 'failed', string>> = {
  switched: 'The new rows are live. The old rows are retained until you confirm or restore them.',
  done: 'The new rows are live, and the old rows are deleted.',
  cancelled: 'The rows are the same as before the rebuild.',
  failed: 'The rows are the same as before the rebuild.',
};

/** The state of the job as a sentence. */
export function stateText({ state, phase, cancelling }: Job): string {
  if (state !== 'waiting' && state !== 'running') return stateTexts[state];
  return cancelling ? 'The rebuild stops.' : `The rebuild ${phaseTexts[phase]}.`;
}

/** Applied events, the rate and the remaining time. */
export function progressText({ applied, total, eventsPerSecond, secondsLeft }: Job): string {
  const of = total === null ? '' : ` of ${total.toLocaleString('en')}`;
  return [
    `${applied.toLocaleString('en')}${of} events`,
    ...(eventsPerSecond === null ? [] : [`${eventsPerSecond.toLocaleString('en')} per second`]),
    ...(secondsLeft === null ? [] : [`about ${durationText(secondsLeft)} left`]),
  ].join(', ');
}

/** The result of the comparison with the live rows; undefined if none was made yet. */
export function comparisonText({ compared, different, verify }: Job): string | undefined {
  if (compared === 0) return undefined;
  const scope = verify === 'all' ? 'all contexts' : 'a sample';
  const rows = different === 0 ? 'none differs' : `${different.toLocaleString('en')} differ`;
  return `${counted(compared, 'context')} compared (${scope}), ${rows}`;
}
